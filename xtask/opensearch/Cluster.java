import java.io.BufferedReader;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.codelibs.opensearch.runner.OpenSearchRunner;
import org.opensearch.node.Node;

/**
 * A real cluster in one JVM, for tests: {@code java Cluster.java NODES DIR PORT}. It prints two lines,
 * {@code control ADDRESS} and {@code ready URL…}, once all nodes have joined, and ends when its
 * standard input closes, so that a killed test leaves no cluster.
 *
 * <p>At the control address it takes a command for each connection, {@code stop N} or
 * {@code start N} with the number of a node from 1 on, and answers with a line, {@code done}, once
 * the node has closed its ports or opened them again.
 */
public final class Cluster {
    public static void main(String[] arguments) throws Exception {
        int nodes = Integer.parseInt(arguments[0]);
        Path folder = Path.of(arguments[1]);
        int port = Integer.parseInt(arguments[2]);

        // The nodes log to the standard output, and close it when the second one starts.
        PrintStream out = System.out;
        System.setOut(new PrintStream(new FilterOutputStream(System.err) {
            @Override
            public void close() throws IOException {
                flush();
            }
        }, true));
        OpenSearchRunner runner = new OpenSearchRunner();
        // Without this, every port above 9299 is taken to be in use.
        runner.setMaxHttpPort(65535);
        runner.onBuild((number, settings) -> {
            settings.put("network.host", "127.0.0.1");
            // One node does not form a cluster by itself, and the setting that would make it do so
            // in version 2 is refused by version 3.
            settings.put("discovery.type", "zen");
            settings.putList("cluster.initial_cluster_manager_nodes", "Node 1");
            // Any of them may be stopped, so a node that comes back asks all.
            String[] seeds = new String[nodes];
            for (int node = 1; node <= nodes; node++) {
                seeds[node - 1] = "127.0.0.1:" + (port + 100 + node);
            }
            settings.putList("discovery.seed_hosts", seeds);
            // The first node would wait half a minute for the others.
            settings.put("discovery.initial_state_timeout", "0s");
            // A full disk must not make indexes read-only.
            settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
            // Tests make hundreds of small indexes.
            settings.put("cluster.max_shards_per_node", 10_000);
            settings.put("transport.port", String.valueOf(port + 100 + number));
        });
        runner.build(OpenSearchRunner.newConfigs()
                .clusterName("outfall-tests")
                .numOfNode(nodes)
                .basePath(folder.toString())
                .baseHttpPort(port)
                .useLogger());
        ServerSocket control = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread commands = new Thread(() -> obey(runner, control));
        commands.setDaemon(true);
        commands.start();
        out.println("control 127.0.0.1:" + control.getLocalPort());
        StringBuilder ready = new StringBuilder("ready");
        for (int number = 1; number <= nodes; number++) {
            String http = runner.getNode(number - 1).settings().get("http.port");
            ready.append(" http://127.0.0.1:").append(http);
        }
        out.println(ready);
        while (System.in.read() >= 0) {
            // Nothing is sent; only the end matters.
        }
        // Closing the nodes one by one takes long, and nobody reads their data again.
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    private static void obey(OpenSearchRunner runner, ServerSocket control) {
        while (true) {
            try (Socket connection = control.accept();
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
                    OutputStream answer = connection.getOutputStream()) {
                String[] command = in.readLine().split(" ");
                int place = Integer.parseInt(command[1]) - 1;
                boolean done;
                if (command[0].equals("stop")) {
                    Node node = runner.getNode(place);
                    node.close();
                    done = node.awaitClose(30, TimeUnit.SECONDS);
                } else {
                    done = runner.startNode(place);
                }
                answer.write((done ? "done\n" : "failed\n").getBytes(StandardCharsets.US_ASCII));
            } catch (Exception error) {
                // Whoever asked sees the connection end without an answer.
                error.printStackTrace();
            }
        }
    }
}
