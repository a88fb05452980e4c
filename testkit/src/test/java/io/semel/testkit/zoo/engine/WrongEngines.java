// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.engine;

import io.semel.AnswerKind;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Event;
import io.semel.Key;
import io.semel.Listener;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.StoreException;
import io.semel.WhenAbandoned;
import io.semel.Work;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import io.semel.testkit.ForwardingTime;
import io.semel.testkit.zoo.Breaks;
import io.semel.time.Time;
import java.time.Duration;
import java.time.Instant;

/** Engines that are wrong in one way each: what stands around a right one makes them so. */
final class WrongEngines {

    @Breaks("E1")
    static class LooksAtNoFingerprint extends Wrong {
        @Override
        Store store(Store store) {
            return new ForwardingStore(store) {
                @Override
                public Claim claim(Call call, String holder, Duration lease) {
                    Claim claim = super.claim(call, holder, lease);
                    if (claim instanceof Claim.Held held) {
                        return new Claim.Held(call.fingerprint(), held.remaining());
                    }
                    return claim instanceof Claim.Settled settled
                            ? new Claim.Settled(call.fingerprint(), settled.result(), settled.remaining())
                            : claim;
                }
            };
        }
    }

    @Breaks("E2")
    static class NeverReleases extends Wrong {
        @Override
        Store store(Store store) {
            return new Settles(store) {
                @Override
                boolean settle(Settlement settlement, Settled told) {
                    return settlement instanceof Settlement.Release || told.by(settlement);
                }
            };
        }
    }

    @Breaks("E2")
    static class ForgetsRejections extends Wrong {
        @Override
        Store store(Store store) {
            return new Settles(store) {
                @Override
                boolean settle(Settlement settlement, Settled told) {
                    boolean rejects = settlement instanceof Settlement.Complete complete && complete.rejects();
                    return told.by(rejects ? new Settlement.Release() : settlement);
                }
            };
        }
    }

    @Breaks("E3")
    static class HidesTheUsersException extends Wrong {
        @Override
        <E extends Exception> Outcome<String> run(Engine engine, Call call, Work<String, E> work) throws E {
            try {
                return super.run(engine, call, work);
            } catch (RuntimeException e) {
                throw e.getSuppressed().length == 0 ? e : (RuntimeException) e.getSuppressed()[0];
            }
        }
    }

    @Breaks("E4")
    static class FreesWhatItCannotKeep extends Wrong {
        @Override
        Store store(Store store) {
            return new Settles(store) {
                @Override
                boolean settle(Settlement settlement, Settled told) {
                    boolean lost = settlement instanceof Settlement.Complete complete
                            && complete.kind() == AnswerKind.NOT_RETAINED;
                    return told.by(lost ? new Settlement.Release() : settlement);
                }
            };
        }
    }

    @Breaks("E5")
    static class IgnoresRefusedSettles extends Wrong {
        @Override
        Store store(Store store) {
            return new Settles(store) {
                @Override
                boolean settle(Settlement settlement, Settled told) {
                    return told.by(settlement) || settlement instanceof Settlement.Complete;
                }
            };
        }
    }

    @Breaks("E5")
    static class TakesAFailedSettleForDone extends Wrong {
        @Override
        Store store(Store store) {
            return new Settles(store) {
                @Override
                boolean settle(Settlement settlement, Settled told) {
                    try {
                        return told.by(settlement);
                    } catch (StoreException e) {
                        return true;
                    }
                }
            };
        }
    }

    @Breaks("E6")
    static class AsksOnce extends Wrong {
        @Override
        Store store(Store store) {
            return new ForwardingStore(store) {
                @Override
                public Claim claim(Call call, String holder, Duration lease) {
                    try {
                        return super.claim(call, holder, lease);
                    } catch (StoreException e) {
                        throw StoreException.changedNothing("not so", e);
                    }
                }
            };
        }
    }

    @Breaks("E6")
    static class RunsWithoutAGrant extends Wrong {
        @Override
        Store store(Store store) {
            return new ForwardingStore(store) {
                @Override
                public Claim claim(Call call, String holder, Duration lease) {
                    try {
                        return super.claim(call, holder, lease);
                    } catch (StoreException e) {
                        return new Claim.Granted(1, false);
                    }
                }
            };
        }
    }

    @Breaks("E7")
    static class HasNoHeartbeat extends Wrong {
        @Override
        Time time(Time time) {
            return new ForwardingTime(time) {
                @Override
                public void schedule(Duration delay, Runnable task) {}
            };
        }
    }

    @Breaks("E7")
    static class WaitsForARenewalThatHangs extends Wrong {
        @Override
        Time time(Time time) {
            return new ForwardingTime(time) {
                @Override
                public Runnable execute(Runnable task) {
                    task.run();
                    return () -> {};
                }
            };
        }
    }

    @Breaks("E8")
    static class RunsAgainByDefault extends Wrong {
        @Override
        Operation operation(Operation operation) {
            return operation.whenAbandoned(WhenAbandoned.rerun());
        }
    }

    @Breaks("E9")
    static class DoesNotWait extends Wrong {
        @Override
        Operation operation(Operation operation) {
            return operation.waitWhenBusy(Duration.ZERO);
        }
    }

    @Breaks("E10")
    static class KnowsNoTime extends Wrong {
        @Override
        Store store(Store store) {
            return new ForwardingStore(store) {
                @Override
                public Instant now() {
                    return super.now().minus(Duration.ofDays(1));
                }
            };
        }
    }

    @Breaks("E10")
    static class AsksForTheTimeOnce extends Wrong {
        @Override
        Store store(Store store) {
            Instant asked = store.now();
            return new ForwardingStore(store) {
                @Override
                public Instant now() {
                    return asked;
                }
            };
        }
    }

    @Breaks("E11")
    static class MakesUpWhatItCannotRead extends Wrong {
        @Override
        Codec<String> codec(Codec<String> codec) {
            return EngineContract.UTF8;
        }
    }

    @Breaks("E11")
    static class TellsNobodyWhatItCannotRead extends Wrong {
        @Override
        Listener listener(Listener listener) {
            return event -> {
                if (!(event instanceof Event.Unreadable)) {
                    listener.on(event);
                }
            };
        }
    }

    @Breaks("E12")
    static class KeepsWhatItGaveUp extends Wrong {
        @Override
        Store store(Store store) {
            return new Settles(store) {
                @Override
                boolean settle(Settlement settlement, Settled told) {
                    boolean givesUp = settlement instanceof Settlement.Renew renew
                            && renew.lease().isZero();
                    return told.by(givesUp ? new Settlement.Renew(Duration.ofDays(1)) : settlement);
                }
            };
        }
    }

    @Breaks("E12")
    static class RenewsForEver extends Wrong {
        @Override
        Operation operation(Operation operation) {
            return operation.renewFor(Duration.ofDays(365));
        }
    }

    @Breaks("E13")
    static class TellsBusyTwice extends Wrong {
        @Override
        Listener listener(Listener listener) {
            return event -> {
                listener.on(event);
                if (event instanceof Event.WasBusy) {
                    listener.on(event);
                }
            };
        }
    }

    /** How the store would be told. */
    private interface Settled {

        boolean by(Settlement settlement);
    }

    private abstract static class Settles extends ForwardingStore {

        Settles(Store store) {
            super(store);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return settle(settlement, other -> super.settle(key, holder, fence, other));
        }

        abstract boolean settle(Settlement settlement, Settled told);
    }

    private WrongEngines() {}
}
