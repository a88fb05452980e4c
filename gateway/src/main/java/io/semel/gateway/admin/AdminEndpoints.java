// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import io.semel.StoreException;
import io.semel.UnreadableAnswer;
import io.semel.gateway.admin.api.AdminApi;
import io.semel.gateway.admin.api.ApiParameters;
import io.semel.gateway.admin.api.ApiResponse;
import io.semel.gateway.admin.api.Console;
import io.semel.gateway.config.AdminSettings;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The endpoints of the admin port, with their access rules. */
final class AdminEndpoints {

    private static final System.Logger LOG = System.getLogger(AdminEndpoints.class.getName());
    /** How many requests may ask the store at a time: health and metrics keep threads, whatever it does. */
    private static final int MOST_ASKING = 8;

    private static final int MOST_ANSWER = 2 << 20;
    private static final int MOST_NAMES = 16 << 10;

    private static final String LOOPBACK = "(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?";

    private final Console console;
    private final ConsoleFiles assets = new ConsoleFiles();
    private final Semaphore asking = new Semaphore(MOST_ASKING);
    private final @Nullable String token;
    private final @Nullable String viewToken;
    private final boolean healthOnly;

    AdminEndpoints(Console console, AdminSettings settings, boolean healthOnly) {
        this.console = console;
        this.token = settings.token();
        this.viewToken = settings.viewToken();
        this.healthOnly = healthOnly;
    }

    /** The response to a request that needs no thread; null for others. */
    static @Nullable AdminResponse atOnce(AdminRequest request) {
        return request.path().equals("/health/live")
                ? AdminResponse.of(200, "application/json", "{\"status\":\"up\"}")
                : null;
    }

    AdminResponse answer(AdminRequest request) {
        try {
            return answered(request);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "An admin request failed.", e);
            return AdminResponse.of(ApiResponse.error(500, "Internal error; the gateway's log has the cause."));
        }
    }

    /** The refusal of a request by its head alone, before its body is awaited; null if it is not refused. */
    @Nullable
    AdminResponse objection(AdminRequest head) {
        ApiResponse objection = objectionToHead(head);
        if (objection != null) {
            return AdminResponse.of(objection);
        }
        boolean announced = head.headers().contains("Transfer-Encoding") && mostBody(head) == 0;
        return announced || length(head) > mostBody(head) ? tooLarge(head) : null;
    }

    private @Nullable ApiResponse objectionToHead(AdminRequest head) {
        boolean looking = head.method().equals("GET") || head.method().equals("HEAD");
        if (isHealth(head.path())) {
            return looking ? null : ApiResponse.error(405, "Only GET is supported here.");
        }
        if (healthOnly) {
            return ApiResponse.error(404, "This port serves health only.");
        }
        if (!isAskedByName(head)) {
            return ApiResponse.error(
                    401, "Use localhost, 127.0.0.1 or [::1] as the host; other names need an admin token.");
        }
        if (!mayLook(head) && assets.find(head.path()) == null) {
            return ApiResponse.error(401, AdminApi.NO_TOKEN);
        }
        if (looking) {
            return null;
        }
        return head.method().equals("POST")
                ? objectionToPost(head)
                : ApiResponse.error(405, "Only GET and POST are supported.");
    }

    /** Only JSON: a web page of somewhere else cannot send that without asking first. */
    private @Nullable ApiResponse objectionToPost(AdminRequest head) {
        if (!isFromHere(head)) {
            return ApiResponse.error(403, "Only the gateway's own console may send this request.");
        }
        if (!maySettle(head)) {
            return ApiResponse.error(403, "This token is read-only; send the admin token.");
        }
        return head.header("Content-Type").matches("(?i)application/json\\s*(;.*)?")
                ? null
                : ApiResponse.error(415, "Send a JSON object of at most " + mostBody(head) + " bytes.");
    }

    /** Answers to resolve with are as large as those of services; everything else is some names. */
    static int mostBody(AdminRequest head) {
        if (!head.method().equals("POST")) {
            return 0;
        }
        return ApiParameters.takeAnswer(head.path()) ? MOST_ANSWER : MOST_NAMES;
    }

    static AdminResponse tooLarge(AdminRequest head) {
        return AdminResponse.of(
                ApiResponse.error(413, "Bodies are limited to " + mostBody(head) + " bytes. Nothing was changed."));
    }

    /** The codec has refused everything that is not a length. */
    private static long length(AdminRequest head) {
        String length = head.header("Content-Length");
        return length.isEmpty() ? 0 : Long.parseLong(length);
    }

    private static boolean isHealth(String path) {
        return path.equals("/health") || path.equals("/health/ready") || path.equals("/health/live");
    }

    /** Answers a request that was not refused by its head. */
    private AdminResponse answered(AdminRequest request) {
        String path = request.path();
        byte[] asset = assets.find(path);
        if (isHealth(path)) {
            return AdminResponse.of(console.health());
        }
        if (asset != null) {
            return new AdminResponse(200, ConsoleFiles.type(path), asset);
        }
        return path.equals("/metrics")
                ? AdminResponse.of(200, "text/plain; version=0.0.4; charset=utf-8", console.metrics())
                : AdminResponse.of(answerInTurn(request));
    }

    private ApiResponse answerInTurn(AdminRequest request) {
        if (!asking.tryAcquire()) {
            return ApiResponse.error(
                    503,
                    "The store has not answered " + MOST_ASKING
                            + " earlier requests yet; check the store and try again.");
        }
        try {
            return reply(request);
        } finally {
            asking.release();
        }
    }

    /** Without a token the name in Host has to be this machine's, so that no web page can make a browser ask for it. */
    private boolean isAskedByName(AdminRequest request) {
        return token != null || request.header("Host").matches(LOOPBACK);
    }

    private boolean mayLook(AdminRequest request) {
        return maySettle(request) || shows(request, viewToken);
    }

    private boolean maySettle(AdminRequest request) {
        return token == null || shows(request, token);
    }

    private static boolean shows(AdminRequest request, @Nullable String wanted) {
        byte[] shown = request.header("Authorization").getBytes(StandardCharsets.UTF_8);
        return wanted != null && MessageDigest.isEqual(("Bearer " + wanted).getBytes(StandardCharsets.UTF_8), shown);
    }

    private ApiResponse reply(AdminRequest request) {
        try {
            return request.method().equals("POST") ? post(request) : get(request);
        } catch (StoreException | UncheckedIOException e) {
            return ApiResponse.error(503, String.valueOf(e.getMessage()));
        } catch (UnreadableAnswer e) {
            return ApiResponse.error(409, String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            return ApiResponse.error(400, String.valueOf(e.getMessage()));
        }
    }

    private ApiResponse get(AdminRequest request) {
        Map<String, String> query = query(request.query());
        ApiParameters.check(request.path(), query);
        return console.get(request.path(), query);
    }

    private ApiResponse post(AdminRequest request) {
        try {
            JsonNode json = JsonMapper.shared().readTree(request.body());
            if (!(json instanceof ObjectNode object)) {
                return ApiResponse.error(400, "Send a JSON object.");
            }
            ApiParameters.check(request.path(), object);
            return console.post(request.path(), object.put("from", request.from()));
        } catch (JacksonException e) {
            return ApiResponse.error(400, "The body is not JSON.");
        }
    }

    /** Browsers say which page asks; programs that are none say nothing. */
    private static boolean isFromHere(AdminRequest request) {
        String origin = request.headers().get("Origin");
        String host = request.header("Host");
        return origin == null || origin.equals("http://" + host) || origin.equals("https://" + host);
    }

    static Map<String, String> query(@Nullable String raw) {
        Map<String, String> query = new HashMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                query.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
