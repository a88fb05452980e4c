// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.testkit.http.ScriptedService;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/** The service of the HTTP contract as an application, whose effects are rows. */
@SpringBootApplication(
        scanBasePackages = "io.semel.nothing",
        excludeName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
@Import(ScriptedApplication.Controller.class)
class ScriptedApplication {

    /** All applications of a test share their runs. */
    private static final ScriptedService SERVICE = new ScriptedService();

    static class Rows implements ScriptedService.Ledger {

        private final JdbcClient database;

        Rows(JdbcClient database) {
            this.database = database;
            database.sql("CREATE TABLE IF NOT EXISTS effect (id VARCHAR(100) NOT NULL)")
                    .update();
        }

        @Override
        @Transactional
        public void add(String id) {
            database.sql("INSERT INTO effect VALUES (?)").param(id).update();
        }

        @Override
        public int count(String id) {
            return database.sql("SELECT COUNT(*) FROM effect WHERE id = ?")
                    .param(id)
                    .query(Integer.class)
                    .single();
        }
    }

    @RestController
    static class Controller {

        private final ScriptedService service;

        Controller(ScriptedService.Ledger rows) {
            this.service = SERVICE.with(rows);
        }

        @RequestMapping(
                path = "/**",
                method = {
                    RequestMethod.GET,
                    RequestMethod.HEAD,
                    RequestMethod.OPTIONS,
                    RequestMethod.POST,
                    RequestMethod.PATCH,
                    RequestMethod.DELETE
                })
        public ResponseEntity<byte[]> handle(HttpServletRequest request) {
            ScriptedService.Reply reply = service.handle(request.getRequestURI(), request::getHeader);
            HttpHeaders headers = new HttpHeaders();
            reply.headers().forEach(header -> headers.add(header.name(), header.value()));
            return ResponseEntity.status(reply.status()).headers(headers).body(reply.body());
        }
    }

    @Bean
    ScriptedService.Ledger rows(JdbcClient database) {
        return new Rows(database);
    }

    @Bean
    static BeanPostProcessor cutting() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataSource pool ? new CuttableDatabase(pool) : bean;
            }
        };
    }

    @Bean
    FilterRegistrationBean<?> front() {
        var registration = new FilterRegistrationBean<>((request, response, chain) ->
                front((HttpServletRequest) request, (HttpServletResponse) response, chain));
        registration.setOrder(0);
        return registration;
    }

    private static void front(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        int status = ScriptedService.front(request::getHeader);
        if (status != 0) {
            response.setStatus(status);
            return;
        }
        Principal principal = () -> request.getHeader("X-User");
        chain.doFilter(
                new HttpServletRequestWrapper(request) {
                    @Override
                    public Principal getUserPrincipal() {
                        return principal;
                    }
                },
                response);
    }
}
