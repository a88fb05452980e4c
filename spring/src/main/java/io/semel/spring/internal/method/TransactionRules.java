// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.spring.Idempotent;
import io.semel.spring.internal.setup.InvalidSetup;
import io.semel.spring.internal.transaction.JoinedTransactions;
import java.lang.reflect.Method;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.objenesis.SpringObjenesis;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.DefaultTransactionAttribute;
import org.springframework.transaction.interceptor.NoRollbackRuleAttribute;
import org.springframework.transaction.interceptor.RuleBasedTransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/** The rules for {@code @Transactional} and {@link Idempotent} on one method; they refuse whatever would keep half of a call. */
public final class TransactionRules {

    private static final Set<Integer> JOINABLE =
            Set.of(TransactionDefinition.PROPAGATION_REQUIRED, TransactionDefinition.PROPAGATION_MANDATORY);

    private static final Set<Integer> APART = Set.of(
            TransactionDefinition.PROPAGATION_REQUIRES_NEW,
            TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
            TransactionDefinition.PROPAGATION_NEVER);

    private static final Set<Integer> BEGINNING = Set.of(
            TransactionDefinition.PROPAGATION_REQUIRED,
            TransactionDefinition.PROPAGATION_REQUIRES_NEW,
            TransactionDefinition.PROPAGATION_NESTED);

    private final BeanFactory beans;
    private final TransactionAttributeSource attributes;

    public TransactionRules(BeanFactory beans) {
        this.beans = beans;
        TransactionAttributeSource applications =
                beans.getBeanProvider(TransactionAttributeSource.class).getIfUnique();
        this.attributes = applications != null ? applications : new AnnotationTransactionAttributeSource(false);
    }

    /** The transactions of a joined method: with its own attributes, or plain ones. */
    JoinedTransactions joining(Method method, Class<?> type) {
        return new JoinedTransactions(manager(), definition(method, type));
    }

    public PlatformTransactionManager manager() {
        return beans.getBean(PlatformTransactionManager.class);
    }

    /** The transaction around an unmarked handler, with the handler's own attributes. */
    public TransactionDefinition around(Method handler, Class<?> type) {
        TransactionAttribute attribute = attributes.getTransactionAttribute(handler, type);
        boolean reads = attribute != null && attribute.isReadOnly();
        return attribute == null || reads
                ? named(new DefaultTransactionAttribute(), handler)
                : definition(handler, type);
    }

    public TransactionDefinition definition(Method method, Class<?> type) {
        TransactionAttribute attribute = attributes.getTransactionAttribute(method, type);
        if (attribute == null) {
            return named(new DefaultTransactionAttribute(), method);
        }
        if (!JOINABLE.contains(attribute.getPropagationBehavior())) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method)
                            + " is @Transactional with a propagation other than REQUIRED or MANDATORY, so its effect"
                            + " would not be part of its record's transaction.",
                    "Set that propagation on the caller, or demand level = LEASED.");
        }
        if (attribute.isReadOnly()) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method)
                            + " is @Transactional(readOnly = true), so its answer cannot be recorded.",
                    "Remove readOnly. A method that only reads need not be @Idempotent.");
        }
        checkManager(method, attribute, manager());
        return attribute;
    }

    /** Whether the effect of a method is never in the transaction of its caller. */
    boolean isApart(Method method, Class<?> type) {
        TransactionAttribute attribute = attributes.getTransactionAttribute(method, type);
        return attribute != null && APART.contains(attribute.getPropagationBehavior());
    }

    /** Whether a method begins a transaction where there is none. */
    boolean begins(Method method, Class<?> type) {
        TransactionAttribute attribute = attributes.getTransactionAttribute(method, type);
        return attribute != null && BEGINNING.contains(attribute.getPropagationBehavior());
    }

    private static TransactionDefinition named(DefaultTransactionAttribute attribute, Method method) {
        attribute.setName(IdempotentMethods.name(method));
        return attribute;
    }

    private void checkManager(Method method, TransactionAttribute attribute, PlatformTransactionManager manager) {
        String qualifier = attribute.getQualifier();
        if (qualifier == null || qualifier.isEmpty()) {
            return;
        }
        if (BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, qualifier) != manager) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method) + " uses the transaction manager '" + qualifier
                            + "', but its record is written by the primary one.",
                    "Use the primary transaction manager, or demand level = LEASED.");
        }
    }

    /** Where the transaction ends before the record is written, no exception may commit: the key would be free again. */
    void checkApart(Method method, Class<?> type, RecordedExceptions recorded) {
        TransactionAttribute attribute = attributes.getTransactionAttribute(method, type);
        if (attribute == null) {
            return;
        }
        for (Class<?> declared : method.getExceptionTypes()) {
            if (!recorded.covers(declared) && commits(attribute, declared)) {
                throw committing(method, declared.getName());
            }
        }
        if (attribute instanceof RuleBasedTransactionAttribute rules) {
            rules.getRollbackRules().stream()
                    .filter(rule ->
                            rule instanceof NoRollbackRuleAttribute && !recorded.covers(rule.getExceptionName()))
                    .findFirst()
                    .ifPresent(rule -> {
                        throw committing(method, rule.getExceptionName());
                    });
        }
    }

    private static boolean commits(TransactionAttribute attribute, Class<?> type) {
        Object sample = new SpringObjenesis().newInstance(type);
        return !attribute.rollbackOn((Throwable) sample);
    }

    private static InvalidSetup committing(Method method, String exception) {
        return new InvalidSetup(
                "When " + IdempotentMethods.name(method) + " throws " + exception
                        + ", @Transactional commits but @Idempotent forgets the call, so a"
                        + " retry would repeat its effect.",
                "Add the exception to rollbackFor, or to recordExceptions if it is an answer.");
    }
}
