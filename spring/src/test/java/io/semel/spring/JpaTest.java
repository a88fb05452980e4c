// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.spring.internal.store.ApplicationStore;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.annotation.Transactional;

/** Transactions of JPA, whose connection Hibernate shows. */
class JpaTest {

    @Entity(name = "parcel")
    static class Parcel {

        @Id
        private String id;

        protected Parcel() {}

        Parcel(String id) {
            this.id = id;
        }
    }

    static class Parcels {

        @PersistenceContext
        private EntityManager entities;

        @Idempotent
        @Transactional
        public String ship(String id) {
            entities.persist(new Parcel(id));
            return "shipped";
        }

        @Idempotent
        @Transactional
        public String shipAgain(String id) {
            entities.persist(new Parcel(id));
            return "shipped";
        }
    }

    @Configuration
    static class App {

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource database) {
            var factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(database);
            factory.setManagedTypes(
                    org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes.of(Parcel.class.getName()));
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "create"));
            return factory;
        }

        @Bean
        JpaTransactionManager transactionManager(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }

        @Bean
        Parcels parcels() {
            return new Parcels();
        }
    }

    @Test
    void theRecordCommitsWithTheEntitiesOrNotAtAll() {
        Apps.onH2().withUserConfiguration(App.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(ApplicationStore.class).joins()).isTrue();
            Parcels parcels = context.getBean(Parcels.class);
            JdbcClient database = context.getBean(JdbcClient.class);
            assertThat(parcels.ship("1")).isEqualTo(parcels.ship("1"));
            assertThat(count(database, "parcel")).isOne();
            assertThatThrownBy(() -> parcels.shipAgain("1")).isInstanceOf(RuntimeException.class);
            assertThat(count(database, "semel_slot")).isOne();
        });
    }

    private static int count(JdbcClient database, String table) {
        return database.sql("SELECT COUNT(*) FROM " + table)
                .query(Integer.class)
                .single();
    }
}
