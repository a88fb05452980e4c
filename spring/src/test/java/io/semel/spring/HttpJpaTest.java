// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.PersistenceException;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers that commit with the entities of their handler, on PostgreSQL. */
class HttpJpaTest {

    private static Web web;

    @Entity(name = "crate")
    static class Crate {

        @Id
        private String id;

        protected Crate() {}

        Crate(String id) {
            this.id = id;
        }
    }

    static class Crates {

        @PersistenceContext
        private EntityManager entities;

        @Transactional
        public void keep(String id) {
            entities.persist(new Crate(id));
        }
    }

    @RestController
    static class Store {

        private final Crates crates;

        Store(Crates crates) {
            this.crates = crates;
        }

        @PostMapping("/crates/{id}")
        ResponseEntity<String> keep(@PathVariable String id) {
            crates.keep(id);
            return ResponseEntity.status(201).body("kept " + id);
        }

        @ExceptionHandler
        ResponseEntity<String> taken(PersistenceException e) {
            return ResponseEntity.status(409).body("taken");
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Store.class)
    static class App {

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource database) {
            var factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(database);
            factory.setManagedTypes(PersistenceManagedTypes.of(Crate.class.getName()));
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "create"));
            return factory;
        }

        @Bean
        JpaTransactionManager transactionManager(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }

        @Bean
        Crates crates() {
            return new Crates();
        }
    }

    @BeforeAll
    static void start() {
        web = Web.onPostgres(App.class);
    }

    @AfterAll
    static void stop() {
        web.close();
    }

    private static int count(String table) {
        return web.bean(JdbcClient.class)
                .sql("SELECT COUNT(*) FROM " + table)
                .query(Integer.class)
                .single();
    }

    @Test
    void theAnswerCommitsWithTheEntities() throws Exception {
        int crates = count("crate");
        assertThat(web.post("/crates/a", "", "key-1").text()).isEqualTo("kept a");
        assertThat(web.post("/crates/a", "", "key-1").replayed()).isTrue();
        assertThat(count("crate")).isEqualTo(crates + 1);
    }

    @Test
    void whatTheDatabaseRefusesOnlyAtTheFlushStillBecomesAnAnswerThatIsRecorded() throws Exception {
        web.post("/crates/b", "", "key-2");
        int records = count("semel_slot");
        Got refused = web.post("/crates/b", "", "key-3");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).isEqualTo("taken");
        Got retry = web.post("/crates/b", "", "key-3");
        assertThat(retry.text()).isEqualTo("taken");
        assertThat(retry.replayed()).isTrue();
        assertThat(count("semel_slot")).isEqualTo(records + 1);
    }
}
