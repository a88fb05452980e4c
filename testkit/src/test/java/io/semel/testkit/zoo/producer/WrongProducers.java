// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.producer;

import io.semel.producer.Batch;
import io.semel.producer.Producer;
import io.semel.producer.Receipt;
import io.semel.producer.Receipt.Reason;
import io.semel.testkit.zoo.Breaks;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Each of them with one rule broken. */
final class WrongProducers {

    /** As brokers did before they refused it. */
    @Breaks("P1")
    static class BeginsAnywhere extends PlainProducers {
        @Override
        boolean follows(List<Done> done, Batch batch) {
            return done.isEmpty() || super.follows(done, batch);
        }
    }

    @Breaks("P1")
    static class AllowsGaps extends PlainProducers {
        @Override
        boolean follows(List<Done> done, Batch batch) {
            return done.isEmpty()
                    ? batch.first() == 0
                    : batch.first() >= after(done.get(done.size() - 1).last());
        }
    }

    @Breaks("P1")
    static class NeverGoesRound extends PlainProducers {
        @Override
        int after(int last) {
            return last + 1;
        }
    }

    @Breaks("P1")
    static class SkipsZeroWhenItGoesRound extends PlainProducers {
        @Override
        int after(int last) {
            return last == Integer.MAX_VALUE ? 1 : last + 1;
        }
    }

    @Breaks("P1")
    static class BeginsAnewInTheMiddleOfABatch extends PlainProducers {
        @Override
        boolean follows(List<Done> done, Batch batch) {
            boolean round = !done.isEmpty()
                    && done.get(done.size() - 1).last()
                            < done.get(done.size() - 1).first();
            return round ? batch.first() == 0 : super.follows(done, batch);
        }
    }

    @Breaks("P2")
    static class RemembersTheLastOnly extends PlainProducers {
        @Override
        int remembered() {
            return 1;
        }
    }

    @Breaks("P2")
    static class TellsADuplicateTheEnd extends PlainProducers {
        @Override
        Optional<Receipt> recognise(List<Done> done, Batch batch) {
            return super.recognise(done, batch)
                    .map(known -> new Receipt.Duplicate(log.get(batch.stream()).size()));
        }
    }

    @Breaks("P3")
    static class TakesWhateverIsOldForADuplicate extends PlainProducers {
        @Override
        int remembered() {
            return Integer.MAX_VALUE;
        }
    }

    @Breaks("P3")
    static class TakesAnOverlapForADuplicate extends PlainProducers {
        @Override
        boolean same(Done done, Batch batch) {
            return done.first() == batch.first();
        }
    }

    @Breaks("P3")
    static class ComparesTheEndOnly extends PlainProducers {
        @Override
        boolean same(Done done, Batch batch) {
            return done.last() == batch.last();
        }
    }

    @Breaks("P4")
    static class DoesNotFence extends PlainProducers {
        @Override
        Optional<Reason> refusal(Known known, Batch batch) {
            return super.refusal(known, batch).filter(reason -> reason != Reason.FENCED);
        }
    }

    @Breaks("P4")
    static class FencesOnlyWhatIsNew extends PlainProducers {
        @Override
        Optional<Reason> refusal(Known known, Batch batch) {
            return super.refusal(known, batch)
                    .filter(reason -> reason != Reason.FENCED
                            || recognise(
                                            known.done(
                                                    place(batch),
                                                    batch.producer().epoch()),
                                            batch)
                                    .isEmpty());
        }
    }

    @Breaks("P4")
    static class CountsOnOverEpochs extends PlainProducers {
        @Override
        boolean follows(List<Done> done, Batch batch) {
            List<Done> before = producers
                    .get(batch.producer().id())
                    .done(place(batch), Math.max(0, batch.producer().epoch() - 1));
            return super.follows(done.isEmpty() ? before : done, batch);
        }
    }

    @Breaks("P4")
    static class GivesAllTheSameId extends PlainProducers {
        @Override
        public Producer register() {
            return register("");
        }

        @Override
        public Producer register(String name) {
            if (producers.isEmpty()) {
                super.register();
            }
            return new Producer(1010, (short) bump(producers.get(1010L)));
        }
    }

    @Breaks("P4")
    static class BelievesAnybody extends PlainProducers {
        @Override
        Optional<Reason> refusal(Known known, Batch batch) {
            producers.computeIfAbsent(batch.producer().id(), id -> new Known());
            return super.refusal(producers.get(batch.producer().id()), batch);
        }

        @Override
        Receipt append(Batch batch, List<String> records, boolean fails) {
            producers.computeIfAbsent(batch.producer().id(), id -> new Known());
            return super.append(batch, records, fails);
        }
    }

    @Breaks("P5")
    static class CountsOverAllStreams extends PlainProducers {
        @Override
        String place(Batch batch) {
            return "";
        }
    }

    @Breaks("P5")
    static class ComparesNamesWithoutCase extends PlainProducers {
        @Override
        String canonical(String name) {
            return name.toLowerCase(Locale.ROOT);
        }
    }

    @Breaks("P6")
    static class RemembersWhatWasNotAppended extends PlainProducers {
        @Override
        Receipt write(List<Done> done, Batch batch, List<String> records, boolean fails) {
            if (fails) {
                done.add(new Done(batch.first(), batch.last(), 0));
            }
            return super.write(done, batch, records, fails);
        }
    }

    @Breaks("P7")
    static class ForgetsNobody extends PlainProducers {
        @Override
        public int purge(Duration idle, int limit) {
            return 0;
        }
    }

    @Breaks("P7")
    static class ForgetsStreamsOnly extends PlainProducers {
        @Override
        void forget(long id) {
            producers.get(id).streams.clear();
            producers.get(id).used = time.nanos();
        }
    }

    @Breaks("P7")
    static class CountsIdlenessFromRegistration extends PlainProducers {
        @Override
        long touched(Known known) {
            return known.used;
        }
    }

    @Breaks("P7")
    static class ForgetsAllAtOnce extends PlainProducers {
        @Override
        public int purge(Duration idle, int limit) {
            return super.purge(idle, Integer.MAX_VALUE);
        }
    }

    @Breaks("P8")
    static class DoesNotKnowItsOwnEnd extends PlainProducers {
        @Override
        boolean recognises(Known known, Producer instance) {
            return false;
        }
    }

    @Breaks("P8")
    static class EndsWhatANewerInstanceDoes extends PlainProducers {
        @Override
        boolean recognises(Known known, Producer instance) {
            return instance.epoch() == known.epoch - 1;
        }
    }

    @Breaks("P8")
    static class LetsLateWritesIn extends PlainProducers {
        @Override
        Optional<Reason> refusal(Known known, Batch batch) {
            return super.refusal(known, batch).filter(reason -> reason != Reason.FENCED || !known.advanced);
        }
    }

    private WrongProducers() {}
}
