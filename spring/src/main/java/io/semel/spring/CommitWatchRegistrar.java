// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;

/** Has every transaction manager of the application tell of its commits. */
final class CommitWatchRegistrar implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof ConfigurableTransactionManager manager
                && !manager.getTransactionExecutionListeners().contains(CommitWatch.LISTENER)) {
            manager.addListener(CommitWatch.LISTENER);
        }
        return bean;
    }
}
