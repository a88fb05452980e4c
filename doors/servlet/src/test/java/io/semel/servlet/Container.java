// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.HttpServlet;
import java.io.File;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A real server on a port, started once for all tests; what it serves is the service that was plugged in last. */
enum Container {
    JETTY {
        @Override
        Started start(List<Filter> filters, HttpServlet servlet) throws Exception {
            QueuedThreadPool threads = new QueuedThreadPool(100);
            threads.setDaemon(true);
            VirtualThreads.use(threads);
            Server server = new Server(threads);
            HttpConfiguration http = new HttpConfiguration();
            ServerConnector connector = new ServerConnector(
                    server, new HttpConnectionFactory(http), new HTTP2CServerConnectionFactory(http));
            connector.setHost("127.0.0.1");
            server.addConnector(connector);
            ServletContextHandler context = new ServletContextHandler();
            context.setContextPath("/");
            for (Filter filter : filters) {
                FilterHolder holder = new FilterHolder(filter);
                holder.setAsyncSupported(true);
                context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
            }
            ServletHolder holder = new ServletHolder(servlet);
            holder.setAsyncSupported(true);
            holder.getRegistration()
                    .setMultipartConfig(new MultipartConfigElement(temporary().getPath()));
            context.addServlet(holder, "/*");
            server.setHandler(context);
            server.start();
            return new Started(connector.getLocalPort(), server::stop);
        }
    },
    TOMCAT {
        @Override
        Started start(List<Filter> filters, HttpServlet servlet) throws Exception {
            LOUD.setLevel(Level.OFF);
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(temporary().getPath());
            tomcat.setHostname("127.0.0.1");
            tomcat.setPort(0);
            tomcat.getConnector().setProperty("address", "127.0.0.1");
            tomcat.getConnector().setProperty("continueResponseTiming", "onRead");
            tomcat.getConnector().addUpgradeProtocol(new Http2Protocol());
            Context context = tomcat.addContext("", temporary().getPath());
            for (int i = 0; i < filters.size(); i++) {
                add(context, "filter" + i, filters.get(i));
            }
            Wrapper wrapper = Tomcat.addServlet(context, "service", servlet);
            wrapper.setAsyncSupported(true);
            wrapper.setMultipartConfigElement(
                    new MultipartConfigElement(temporary().getPath()));
            context.addServletMappingDecoded("/*", "service");
            tomcat.start();
            return new Started(tomcat.getConnector().getLocalPort(), () -> {
                tomcat.stop();
                tomcat.destroy();
            });
        }

        private static void add(Context context, String name, Filter filter) {
            FilterDef definition = new FilterDef();
            definition.setFilterName(name);
            definition.setFilter(filter);
            definition.setAsyncSupported("true");
            context.addFilterDef(definition);
            FilterMap map = new FilterMap();
            map.setFilterName(name);
            map.addURLPattern("/*");
            map.setDispatcher(DispatcherType.REQUEST.name());
            map.setDispatcher(DispatcherType.ASYNC.name());
            context.addFilterMap(map);
        }
    };

    /** Held, because loggers that nobody holds forget their level. */
    private static final Logger LOUD = Logger.getLogger("org.apache");

    @SuppressWarnings("ImmutableEnumChecker") // one server of each kind, for all tests
    private final Socket socket = new Socket();

    abstract Started start(List<Filter> filters, HttpServlet servlet) throws Exception;

    /** Serves the service from now on, and says at which port. */
    synchronized int serve(Service service) throws Exception {
        socket.service = service;
        if (socket.port == 0) {
            Started started = start(
                    List.of(
                            (request, response, chain) -> socket.service.front.doFilter(request, response, chain),
                            (request, response, chain) -> socket.service.door(request, response, chain),
                            (request, response, chain) -> socket.service.behind.doFilter(request, response, chain)),
                    new Plugged(socket));
            socket.port = started.port();
        }
        return socket.port;
    }

    private static File temporary() throws Exception {
        File directory = Files.createTempDirectory("semel-servlet").toFile();
        directory.deleteOnExit();
        return directory;
    }

    /** A server that runs. */
    record Started(int port, AutoCloseable stopping) {

        void stop() {
            try {
                stopping.close();
            } catch (Exception e) {
                throw new IllegalStateException("The server could not be stopped.", e);
            }
        }
    }

    /** Where a service is plugged in. */
    static final class Socket {

        volatile Service service;
        int port;
    }
}
