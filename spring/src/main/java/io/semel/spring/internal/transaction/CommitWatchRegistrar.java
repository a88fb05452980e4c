// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;

/** The registrar that makes every transaction manager of the application report its commits. */
public final class CommitWatchRegistrar implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof ConfigurableTransactionManager manager
                && !manager.getTransactionExecutionListeners().contains(CommitWatch.LISTENER)) {
            manager.addListener(CommitWatch.LISTENER);
        }
        return bean;
    }
}
