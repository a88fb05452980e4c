// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** The socket implementation: epoll where the machine has it. */
public record Transport(
        String name,
        IoHandlerFactory handlers,
        Class<? extends ServerChannel> server,
        Class<? extends Channel> client) {

    private static final int TCP_ESTABLISHED = 1;

    public static Transport best() {
        return Epoll.isAvailable()
                ? new Transport(
                        "epoll", EpollIoHandler.newFactory(), EpollServerSocketChannel.class, EpollSocketChannel.class)
                : new Transport("nio", NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class);
    }

    public boolean isEpoll() {
        return client == EpollSocketChannel.class;
    }

    /** False where the kernel knows that the other side has closed the connection, even if that was not read yet. */
    public static boolean isEstablished(Channel channel) {
        return !(channel instanceof EpollSocketChannel epoll)
                || epoll.tcpInfo(new EpollTcpInfo()).state() == TCP_ESTABLISHED;
    }

    public EventLoopGroup loops(int cores) {
        return new MultiThreadIoEventLoopGroup(cores, new DefaultThreadFactory("semel-io", true), handlers);
    }
}
