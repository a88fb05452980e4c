// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.actuate;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/**
 * The check that refuses unknown parameters of the endpoint. Boot ignores them silently, so that an answer with a misspelled
 * name would be lost.
 */
public final class ParameterNameCheck implements OperationInvokerAdvisor {

    private static final EndpointId ENDPOINT = EndpointId.of("semel");

    @Override
    public OperationInvoker apply(
            EndpointId endpoint, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
        if (!endpoint.equals(ENDPOINT)) {
            return invoker;
        }
        List<String> all = parameters.stream().map(OperationParameter::getName).toList();
        List<String> known = parameters.stream()
                .filter(each -> each.getType() != SecurityContext.class)
                .map(OperationParameter::getName)
                .toList();
        return context -> {
            // Over JMX arguments are given by position, each of them, so that no name can have a slip.
            boolean byPosition = context.getArguments().keySet().equals(Set.copyOf(all));
            Optional<String> wrong = byPosition ? Optional.empty() : wrong(context.getArguments(), known);
            return wrong.isPresent()
                    ? EndpointRefusals.answer(EndpointRefusals.refused(wrong.get()))
                    : invoker.invoke(context);
        };
    }

    private static Optional<String> wrong(Map<String, ? extends @Nullable Object> given, List<String> known) {
        String unknown = given.keySet().stream()
                .filter(name -> !known.contains(name))
                .map(name -> "There is no parameter '" + name + "'." + ClosestName.hint(name, known))
                .collect(Collectors.joining(" "));
        if (!unknown.isEmpty()) {
            return Optional.of(unknown + " The parameters are " + String.join(", ", known) + ".");
        }
        return given.entrySet().stream()
                .filter(each -> each.getValue() instanceof Collection)
                .map(each -> "'" + each.getKey() + "' was given more than once.")
                .findFirst();
    }
}
