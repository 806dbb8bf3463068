// The wire over TCP: one socket a peer, non-blocking. A peer whose process or host goes away is seen as soon as the kernel
// knows: it closes the sockets of a process that ends, however it ends; a host that vanishes is noticed by the keep-alive
// and by the time that sent data may stay unacknowledged.
//
//   connecting: the higher rank connects to the lower      1. its rank and a nonce
//                                                          2. back: a nonce, and the HMAC of both, "accepts"
//                                                          3. the HMAC of both, "connects"
//                                                          4. back: a byte, so that both know that they are connected
//
// The size of the socket buffers is left to the kernel, which adapts it: set by hand it would be limited to
// net.core.wmem_max, 208 KiB on many systems, which is less.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include "network.h"

#define AHEAD_BYTES 65536
// Bytes moved in one direction before the other direction is checked.
#define TURN_BYTES (512 << 10)
// From here data are read straight to where they belong.
#define DIRECT_BYTES 16384
#define HOST_LOST_MS 15000
#define TCP_CHUNK_BYTES (256 << 10)

static void tcp_tune(int file) {
  const int one = 1, idle = 5, interval = 2, probes = 5, lost = HOST_LOST_MS;
  setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(file, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
#ifdef TCP_USER_TIMEOUT
  setsockopt(file, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt(file, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(file, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
  setsockopt(file, IPPROTO_TCP, TCP_USER_TIMEOUT, &lost, sizeof lost);
#else
  (void)idle, (void)interval, (void)probes, (void)lost;
#endif
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
  fcntl(file, F_SETFD, FD_CLOEXEC);
}

static void tcp_closed(network *n, peer *p, int error) {
  if (p->file < 0) return;
  close(p->file);
  p->file = -1;
  while (p->sends != NULL) network_sent(p);
  // After its last message it may go; before, it is lost for all.
  if (!p->has_left) network_lost_peer(n, p, "%s", error == 0 ? "it has closed the connection" : strerror(error));
}

static bool tcp_write(network *n, peer *p) {
  int64_t turn = 0;
  while (p->sends != NULL && p->file >= 0 && turn < TURN_BYTES) {
    // Several small messages in one call.
    struct iovec parts[16];
    int count = 0;
    int64_t asked = 0;
    for (sending *s = p->sends; s != NULL && count < 15 && asked < TURN_BYTES; s = s->next) {
      if (s->done < MESSAGE_BYTES) parts[count++] = (struct iovec){(char *)&s->head + s->done, (size_t)(MESSAGE_BYTES - s->done)}, asked += MESSAGE_BYTES - s->done;
      const int64_t at = s->done < MESSAGE_BYTES ? 0 : s->done - MESSAGE_BYTES;
      if (s->head.bytes > at) parts[count++] = (struct iovec){(char *)(uintptr_t)s->data + at, (size_t)(s->head.bytes - at)}, asked += s->head.bytes - at;
    }
    const struct msghdr all = {.msg_iov = parts, .msg_iovlen = (size_t)count};
    const ssize_t sent = sendmsg(p->file, &all, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK) break;
      if (errno == EINTR) continue;
      tcp_closed(n, p, errno);
      return true;
    }
    turn += sent;
    for (int64_t left = sent; left > 0;) {
      sending *s = p->sends;
      const int64_t rest = MESSAGE_BYTES + s->head.bytes - s->done, taken = left < rest ? left : rest;
      s->done += taken, left -= taken;
      if (taken == rest) network_sent(p);
    }
    while (p->sends != NULL && p->sends->done == MESSAGE_BYTES + p->sends->head.bytes) network_sent(p);
    if (sent < asked) break;
  }
  return turn > 0;
}
static void tcp_send(network *n, peer *p) { tcp_write(n, p); }

// Reads into `to`; the number of bytes, 0 if there is none now, or -1 if the connection is closed.
static int64_t tcp_receive(network *n, peer *p, char *to, int64_t bytes) {
  for (;;) {
    const ssize_t got = recv(p->file, to, (size_t)bytes, MSG_DONTWAIT);
    if (got > 0) return got;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return 0;
    tcp_closed(n, p, got == 0 ? 0 : errno);
    return -1;
  }
}
static bool tcp_read(network *n, peer *p) {
  int64_t turn = 0;
  while (p->file >= 0 && p->held < HELD_MESSAGES && turn < TURN_BYTES) {
    const bool needs_head = p->got < MESSAGE_BYTES;
    char *to = needs_head ? (char *)&p->head + p->got : (char *)&p->incoming->head + p->incoming->head.data + p->got - MESSAGE_BYTES;
    const int64_t wanted = needs_head ? MESSAGE_BYTES - p->got : MESSAGE_BYTES + p->incoming->head.bytes - p->got;
    int64_t got;
    if (wanted == 0) got = 0;
    else if (p->ahead_from < p->ahead_to) {
      const int64_t there = p->ahead_to - p->ahead_from;
      got = there < wanted ? there : wanted;
      memcpy(to, p->ahead + p->ahead_from, (size_t)got);
      p->ahead_from += got;
    } else if (wanted >= DIRECT_BYTES) {
      got = tcp_receive(n, p, to, wanted < TURN_BYTES ? wanted : TURN_BYTES);
      if (got <= 0) return turn > 0 || got < 0;
    } else {
      got = tcp_receive(n, p, p->ahead, AHEAD_BYTES);
      if (got <= 0) return turn > 0 || got < 0;
      p->ahead_from = 0, p->ahead_to = got;
      continue;
    }
    p->got += got, turn += got;
    if (needs_head && p->got == MESSAGE_BYTES) {
      if (p->head.bytes < 0 || p->head.bytes > LARGEST_MESSAGE) {
        tcp_closed(n, p, EBADMSG);
        return true;
      }
      p->incoming = network_arrival(n, p, &p->head);
      if (p->incoming == NULL) return false;
    }
    if (p->got >= MESSAGE_BYTES && p->got == MESSAGE_BYTES + p->incoming->head.bytes) {
      arrival *a = p->incoming;
      p->incoming = NULL, p->got = 0, turn++;
      network_arrived(n, p, a);
    }
  }
  return turn > 0;
}

static bool tcp_progress(network *n) {
  bool moved = false;
  if (n->remotes <= 4) {
    for (int32_t i = 0; i < n->remotes; i++) {
      if (n->remote[i]->sends != NULL) moved |= tcp_write(n, n->remote[i]);
      moved |= tcp_read(n, n->remote[i]);
    }
    return moved;
  }
  struct pollfd files[64];
  for (int32_t from = 0; from < n->remotes; from += 64) {
    const int32_t count = n->remotes - from < 64 ? n->remotes - from : 64;
    for (int32_t i = 0; i < count; i++) {
      const peer *p = n->remote[from + i];
      files[i] = (struct pollfd){p->file, (short)((p->held < HELD_MESSAGES ? POLLIN : 0) | (p->sends != NULL ? POLLOUT : 0)), 0};
    }
    if (poll(files, (nfds_t)count, 0) < 0) continue;
    for (int32_t i = 0; i < count; i++) {
      peer *p = n->remote[from + i];
      if (files[i].revents & POLLOUT) moved |= tcp_write(n, p);
      if ((files[i].revents & ~POLLOUT) || p->ahead_from < p->ahead_to) moved |= tcp_read(n, p);
    }
  }
  return moved;
}

static void tcp_sleep(network *n, int64_t nanoseconds) {
  struct pollfd few[64], *files = n->remotes <= 64 ? few : malloc((size_t)n->remotes * sizeof *files);
  if (files == NULL) return;
  for (int32_t i = 0; i < n->remotes; i++) {
    const peer *p = n->remote[i];
    files[i] = (struct pollfd){p->file, (short)((p->held < HELD_MESSAGES ? POLLIN : 0) | (p->sends != NULL ? POLLOUT : 0)), 0};
    if (p->held >= HELD_MESSAGES && p->sends == NULL) files[i].fd = -1; // else a closed one would not let this sleep
  }
#ifdef __linux__
  const struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  ppoll(files, (nfds_t)n->remotes, &limit, NULL);
#else
  poll(files, (nfds_t)n->remotes, (int)(nanoseconds / 1000000) + 1);
#endif
  if (files != few) free(files);
}

static void tcp_close(network *n) {
  for (int32_t i = 0; i < n->remotes; i++) {
    peer *p = n->remote[i];
    if (p->file < 0 || n->lost) continue;
    sending *s = calloc(1, sizeof *s);
    if (s == NULL) continue;
    s->head.kind = WIRE_LEFT;
    network_send(n, p->rank, s);
  }
  // Queued messages are sent, unless a peer reads no more.
  for (const int64_t until = now_ns() + 2000000000; now_ns() < until;) {
    bool waits = false;
    for (int32_t i = 0; i < n->remotes; i++) waits |= n->remote[i]->file >= 0 && n->remote[i]->sends != NULL;
    if (!waits) break;
    if (!tcp_progress(n)) tcp_sleep(n, 1000000);
  }
  for (int32_t i = 0; i < n->remotes; i++) {
    peer *p = n->remote[i];
    if (p->file < 0) continue;
    shutdown(p->file, SHUT_WR);
    close(p->file);
    p->file = -1;
  }
}

static const wire tcp_wire = {"tcp", TCP_CHUNK_BYTES, tcp_send, tcp_progress, tcp_sleep, tcp_close};

// Opens a socket that the other ranks can connect to, at any port of the address if `port` is 0. Returns the file and sets
// `*bound`; a negative errno if that fails.
int32_t trenio_tcp_listen(const char *address, int32_t port, int32_t *bound) {
  struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICHOST, .ai_socktype = SOCK_STREAM}, *found = NULL;
  char service[16];
  snprintf(service, sizeof service, "%d", (int)port);
  if (getaddrinfo(address, service, &hints, &found) != 0 || found == NULL) return -EADDRNOTAVAIL;
  const int one = 1, file = socket(found->ai_family, SOCK_STREAM, 0);
  int error = 0;
  if (file < 0) error = errno;
  else {
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    fcntl(file, F_SETFD, FD_CLOEXEC);
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    if (bind(file, found->ai_addr, found->ai_addrlen) != 0 || listen(file, 1024) != 0 || getsockname(file, (struct sockaddr *)&own, &length) != 0) error = errno;
    else *bound = ntohs(own.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&own)->sin6_port : ((struct sockaddr_in *)&own)->sin_port);
  }
  freeaddrinfo(found);
  if (error != 0 && file >= 0) close(file);
  return error != 0 ? -error : file;
}

#define HELLO_MAGIC 0x3230504354525400ull
typedef struct {
  uint64_t magic;
  int32_t abi, rank, to, world_size;
  room room;
  uint8_t nonce[32];
} hello;
typedef struct {
  room room;
  uint8_t nonce[32], proof[DIGEST_BYTES];
} answer;
typedef struct {
  char role[8];
  hello from;
  uint8_t nonce[32];
} proven;
static void prove(const char *secret, const char *role, const hello *from, const uint8_t *nonce, uint8_t *proof) {
  proven all;
  memset(&all, 0, sizeof all);
  strcpy(all.role, role);
  all.from = *from;
  memcpy(all.nonce, nonce, sizeof all.nonce);
  hmac_sha256(secret, &all, sizeof all, proof);
}
static bool random_bytes(uint8_t *to, size_t bytes) {
  const int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  const bool done = file >= 0 && read(file, to, bytes) == (ssize_t)bytes;
  if (file >= 0) close(file);
  return done;
}
// While a rank joins: the timeout, and its messages about a long wait.
#define LOOK_WHILE_JOINING_MS 200
#define TELL_OF_JOINING_NS 30000000000
// A connection that ends before both sides know each other is made again: the other side gives one up that says nothing for long.
#define MOST_HANDSHAKES 5
#define HANDSHAKE_NS 5000000000
typedef struct {
  network *n;
  int64_t since, until, tell_at;
} joining;
static int list_missing(const network *n, bool is_above, char *text, size_t bytes) {
  size_t length = 0;
  int missing = 0;
  for (int32_t i = 0; i < n->remotes; i++) {
    const peer *p = n->remote[i];
    if (p->file >= 0 || (p->rank > n->rank) != is_above) continue;
    if (missing++ < 8) length += (size_t)snprintf(text + length, bytes - length, "%s%d on %s", missing == 1 ? "" : ", ", (int)p->rank, p->host);
  }
  if (missing > 8) snprintf(text + length, bytes - length, " and %d more", missing - 8);
  return missing;
}
// Looked at several times a second. 0, ETIMEDOUT, or ECANCELED: the launcher or another rank of this host has ended.
static int joining_goes_on(joining *j, bool waits_above) {
  const runtime *r = j->n->r;
  const int64_t now = now_ns();
  if (r->segment != NULL) {
    const segment_header *h = r->segment->header;
    if (atomic_load(&h->lost) || process_is_gone(h->launcher, h->launcher_started)) return ECANCELED;
  }
  if (now >= j->until) return ETIMEDOUT;
  if (now - j->since < j->tell_at) return 0;
  char text[1024] = "";
  const int missing = list_missing(j->n, waits_above, text, sizeof text);
  fprintf(stderr, "trenio: warn: rank %d has waited %lld s for a connection with rank%s %s\n", (int)j->n->rank, (long long)((now - j->since) / 1000000000), missing == 1 ? "" : "s", text);
  j->tell_at *= 2;
  return 0;
}
// Waits for a file. 0 when it is ready, or why not.
static int await_file(joining *j, int file, short events, int64_t until, bool waits_above) {
  for (;;) {
    struct pollfd wanted = {file, events, 0};
    const int ready = poll(&wanted, 1, LOOK_WHILE_JOINING_MS);
    if (ready > 0) return 0;
    if (ready < 0 && errno != EINTR) return errno;
    const int code = joining_goes_on(j, waits_above);
    if (code != 0) return code;
    if (now_ns() >= until) return ETIMEDOUT;
  }
}
// Sends or receives all of it before the time is over.
static int whole(joining *j, int file, void *memory, size_t bytes, bool sends, int64_t until, bool waits_above) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t n = sends ? send(file, (char *)memory + done, bytes - done, MSG_NOSIGNAL) : recv(file, (char *)memory + done, bytes - done, 0);
    if (n > 0) {
      done += (size_t)n;
      continue;
    }
    if (n == 0) return ECONNRESET;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return errno;
    const int code = await_file(j, file, sends ? POLLOUT : POLLIN, until, waits_above);
    if (code != 0) return code;
  }
  return 0;
}

// A connection to a port at which nothing listens may be given that port itself: it is connected with itself then.
static bool is_connected_with_itself(int file) {
  struct sockaddr_storage own, other;
  socklen_t own_length = sizeof own, other_length = sizeof other;
  memset(&own, 0, sizeof own), memset(&other, 0, sizeof other);
  if (getsockname(file, (struct sockaddr *)&own, &own_length) != 0 || getpeername(file, (struct sockaddr *)&other, &other_length) != 0) return false;
  return own_length == other_length && memcmp(&own, &other, own_length) == 0;
}
// A socket that is connected, once something listens there. 0, or an errno.
static int open_connection(joining *j, const struct addrinfo *at, int *connected) {
  for (;;) {
    const int file = socket(at->ai_family, SOCK_STREAM, 0);
    if (file < 0) return errno;
    tcp_tune(file);
    int error = connect(file, at->ai_addr, at->ai_addrlen) == 0 ? 0 : errno;
    if (error == EINPROGRESS) {
      socklen_t length = sizeof error;
      error = await_file(j, file, POLLOUT, now_ns() + 2000000000, false);
      if (error == 0) getsockopt(file, SOL_SOCKET, SO_ERROR, &error, &length);
    }
    if (error == 0 && !is_connected_with_itself(file)) {
      *connected = file;
      return 0;
    }
    // It may not listen yet.
    close(file);
    const int code = error == ECANCELED ? error : joining_goes_on(j, false);
    if (code != 0) return code;
    usleep(20000);
  }
}
static int introduce(joining *j, const peer *p, const char *secret, int file) {
  hello from = {.magic = HELLO_MAGIC, .abi = TRENIO_RT_ABI, .rank = j->n->rank, .to = p->rank, .world_size = j->n->world_size, .room = own_room(j->n->r)};
  answer back;
  uint8_t proof[DIGEST_BYTES];
  char welcome;
  if (!random_bytes(from.nonce, sizeof from.nonce)) return EIO;
  int error = whole(j, file, &from, sizeof from, true, j->until, false);
  if (error == 0) error = whole(j, file, &back, sizeof back, false, j->until, false);
  if (error != 0) return error;
  prove(secret, "accepts", &from, back.nonce, proof);
  if (!same_digest(proof, back.proof)) return EACCES;
  prove(secret, "connect", &from, back.nonce, proof);
  error = whole(j, file, proof, sizeof proof, true, j->until, false);
  if (error == 0) error = whole(j, file, &welcome, sizeof welcome, false, j->until, false);
  if (error == 0 && !is_room(back.room)) error = EBADMSG;
  if (error == 0) learn_room(j->n, back.room);
  return error;
}
// Connects to a lower rank. 0, or an errno; EACCES: it does not know the secret.
static int connect_to(joining *j, peer *p, const char *secret) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
  char service[16];
  snprintf(service, sizeof service, "%d", (int)p->port);
  if (getaddrinfo(p->address, service, &hints, &found) != 0 || found == NULL) return EADDRNOTAVAIL;
  int error = 0;
  for (int tries = 1;; tries++) {
    int file = -1;
    error = open_connection(j, found, &file);
    if (error != 0) break;
    error = introduce(j, p, secret, file);
    if (error == 0) {
      p->file = file;
      break;
    }
    close(file);
    if ((error != ECONNRESET && error != EPIPE) || tries == MOST_HANDSHAKES) break;
    usleep(100000);
  }
  freeaddrinfo(found);
  return error;
}

// Takes one connection. A connection that does not know the secret, or is not from a missing rank, is closed and ignored.
static int accept_one(joining *j, int listener, const char *secret) {
  network *n = j->n;
  const int late = await_file(j, listener, POLLIN, j->until, true);
  if (late != 0) return late;
  const int file = accept(listener, NULL, NULL);
  if (file < 0) return errno == EINTR || errno == ECONNABORTED || errno == EAGAIN ? 0 : errno;
  tcp_tune(file);
  // A connection that sends nothing must not delay the others for long.
  const int64_t soon = now_ns() + HANDSHAKE_NS < j->until ? now_ns() + HANDSHAKE_NS : j->until;
  hello from;
  answer back = {.room = own_room(n->r)};
  uint8_t proof[DIGEST_BYTES], expected[DIGEST_BYTES];
  char welcome = 1;
  bool fits = whole(j, file, &from, sizeof from, false, soon, true) == 0 && from.magic == HELLO_MAGIC && from.abi == TRENIO_RT_ABI && from.world_size == n->world_size && is_room(from.room);
  fits = fits && from.to == n->rank && from.rank > n->rank && from.rank < n->world_size && is_remote(n, from.rank) && n->peers[from.rank].file < 0;
  fits = fits && random_bytes(back.nonce, sizeof back.nonce);
  if (fits) {
    prove(secret, "accepts", &from, back.nonce, back.proof);
    prove(secret, "connect", &from, back.nonce, expected);
    fits = whole(j, file, &back, sizeof back, true, soon, true) == 0 && whole(j, file, proof, sizeof proof, false, soon, true) == 0 && same_digest(proof, expected);
    fits = fits && whole(j, file, &welcome, sizeof welcome, true, soon, true) == 0;
  }
  if (fits) n->peers[from.rank].file = file, learn_room(n, from.room);
  else close(file);
  return 0;
}

// Joins the ranks of other hosts; `listener` is of trenio_tcp_listen and is closed. 0, or an errno; then with[0] says how many
// ranks it was about, which follow: there is room for all.
int32_t trenio_tcp_join(runtime *r, int32_t rank, int32_t world_size, int32_t first_local, int32_t locals, int32_t alike, const char *table, int32_t listener, const char *secret, int64_t timeout_ns, int32_t *with) {
  network *n = network_new(r, rank, world_size, first_local, locals, table);
  int error = n == NULL || !network_set_hosts(n, alike) ? EINVAL : 0;
  joining j = {n, now_ns(), now_ns() + timeout_ns, TELL_OF_JOINING_NS};
  with[0] = 0;
  int missing = 0;
  for (int32_t i = 0; error == 0 && i < n->remotes; i++) {
    peer *p = n->remote[i];
    p->ahead = malloc(AHEAD_BYTES);
    if (p->ahead == NULL) error = ENOMEM;
    else if (p->rank > rank) missing++;
    else if ((error = connect_to(&j, p, secret)) != 0) with[++with[0]] = p->rank;
  }
  while (error == 0 && missing > 0) {
    error = accept_one(&j, listener, secret);
    missing = 0;
    for (int32_t i = 0; i < n->remotes; i++) {
      if (n->remote[i]->file >= 0) continue;
      missing++;
      if (error != 0) with[++with[0]] = n->remote[i]->rank;
    }
  }
  close(listener);
  if (error == 0) network_joined(n, &tcp_wire);
  else if (n != NULL)
    for (int32_t i = 0; i < n->remotes; i++)
      if (n->remote[i]->file >= 0) close(n->remote[i]->file);
  return error;
}
