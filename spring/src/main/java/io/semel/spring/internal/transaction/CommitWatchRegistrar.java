// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The registrar that makes every transaction manager of the application report its commits, except reactive ones, whose transactions
 * belong to no thread.
 */
public final class CommitWatchRegistrar implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof PlatformTransactionManager
                && bean instanceof ConfigurableTransactionManager manager
                && !manager.getTransactionExecutionListeners().contains(CommitWatch.LISTENER)) {
            manager.addListener(CommitWatch.LISTENER);
        }
        return bean;
    }
}
