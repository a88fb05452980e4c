// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.spring.Idempotent;
import io.semel.spring.internal.setup.InvalidSetup;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The check of every bean at start-up, so that no marked method is silently left without protection. */
public final class IdempotentBeanCheck implements BeanPostProcessor, SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<MethodPlans> plans;
    private final ObjectProvider<RouteCheck> routes;
    private volatile boolean started;

    public IdempotentBeanCheck(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<MethodPlans> plans,
            ObjectProvider<RouteCheck> routes) {
        this.beans = beans;
        this.plans = plans;
        this.routes = routes;
    }

    /** Not earlier, because plans need the store, and the store needs beans. */
    @Override
    public void afterSingletonsInstantiated() {
        started = true;
        for (String name : beans.getBeanDefinitionNames()) {
            Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
            if (bean != null) {
                check(name, bean);
            }
        }
        if (beans.getBeanNamesForType(MethodPlans.class, false, false).length > 0) {
            plans.getObject()
                    .describe()
                    .ifPresent(it ->
                            LoggerFactory.getLogger(IdempotentBeanCheck.class).info(it));
        }
    }

    /** For beans that come later. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (started) {
            check(name, bean);
        }
        return bean;
    }

    private void check(String name, Object bean) {
        Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
        if (!AnnotationUtils.isCandidateClass(type, Idempotent.class)) {
            return;
        }
        ReflectionUtils.doWithMethods(
                type,
                IdempotentBeanCheck::checkCallable,
                method -> IdempotentMethods.mark(method) != null && !IdempotentMethods.isRoute(method, type));
        Set<Method> marked = new LinkedHashSet<>(IdempotentMethods.marked(type));
        marked.stream()
                .filter(method -> IdempotentMethods.isRoute(method, type))
                .forEach(route -> checkRoute(route, type));
        marked.removeIf(method -> IdempotentMethods.isRoute(method, type));
        if (!marked.isEmpty()) {
            checkGuarded(name, bean);
        }
        for (Method method : marked) {
            checkReachable(name, bean, method);
            plans.getObject().of(method, type);
        }
    }

    private void checkRoute(Method method, Class<?> type) {
        RouteCheck check = routes.getIfAvailable();
        if (check == null) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method)
                            + " handles HTTP requests and is @Idempotent without a key, but the starter does not filter"
                            + " requests in this application.",
                    "Add semel-servlet to a servlet application or semel-webflux to a reactive one, without"
                            + " semel.http.enabled=false and without a filter bean of your own; or give @Idempotent a"
                            + " key.");
        }
        check.check(method, type);
    }

    private static void checkCallable(Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            throw new InvalidSetup(
                    IdempotentMethods.name(method) + " is " + Modifier.toString(modifiers)
                            + ", so no proxy can intercept it and @Idempotent would have no effect.",
                    "Make it an instance method that is neither private nor final, and call it through its bean.");
        }
    }

    private static void checkGuarded(String name, Object bean) {
        boolean guarded = bean instanceof Advised advised
                && Arrays.stream(advised.getAdvisors())
                        .anyMatch(advisor -> advisor.getAdvice() instanceof IdempotentInterceptor);
        if (!guarded) {
            throw new InvalidSetup(
                    "Bean '" + name + "' has @Idempotent methods, but is not proxied.",
                    "The bean is created too early. Make sure that no BeanPostProcessor or BeanFactoryPostProcessor"
                            + " depends on it.");
        }
    }

    private static void checkReachable(String name, Object bean, Method method) {
        try {
            AopUtils.selectInvocableMethod(method, bean.getClass());
        } catch (IllegalStateException e) {
            throw new InvalidSetup(
                    "Bean '" + name + "': " + e.getMessage() + ".",
                    "Declare the method in an interface of the bean, or leave spring.aop.proxy-target-class at true.",
                    e);
        }
    }
}
