/** A TCP proxy before a server. Tests use it to cut connections and to hold bytes back. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export class Gate {
  /** Refuses and cuts every connection while it is true. */
  #closed = false;
  /** Cuts a connection after so many bytes of its client; each value is used once. */
  readonly #cuts: number[] = [];
  /** Connections of clients, and the bytes that each has sent since the last `cutAfter`. */
  readonly #sockets = new Map<Socket, number>();
  /** Answers for which the client no longer waits: the bytes reach the server, its answer is lost. */
  #losesAnswers = 0;
  /** Connections whose client is cut when it has sent all, before the server has its bytes. */
  #lags = 0;
  #holds = false;
  #passing = 0;
  readonly #held: (() => void)[] = [];
  readonly #server = createServer((client) => this.#pass(client));

  private constructor(
    private readonly host: string,
    private readonly port: number,
  ) {}

  static async to(target: string): Promise<Gate> {
    const { hostname, port } = new URL(target);
    const gate = new Gate(hostname, Number(port));
    await new Promise<void>((resolve) => {
      gate.#server.listen(0, '127.0.0.1', resolve);
    });
    return gate;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Open connections of clients. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Connections that wait for `release`. */
  get waiting(): number {
    return this.#held.length;
  }

  /** How many requests have sent more than a MiB. */
  large = 0;

  /** Cuts all connections, and refuses new ones until `open`. */
  close(): void {
    this.#closed = true;
    this.cut();
  }

  open(): void {
    this.#closed = false;
  }

  cut(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  /** Cuts the next connection that sends so many bytes. What it has sent before does not count. */
  cutAfter(bytes: number): void {
    for (const socket of this.#sockets.keys()) this.#sockets.set(socket, 0);
    this.#cuts.push(bytes);
  }

  /**
   * Bytes of a request beyond its first MiB wait until `release`.
   * @param passing so many bytes of all requests do not wait
   */
  hold(passing = 0): void {
    this.#passing = passing;
    this.#holds = true;
  }

  release(): void {
    this.#holds = false;
    for (const go of this.#held.splice(0)) go();
  }

  /** The next answer to a request of more than a MiB does not arrive: the connection is cut. */
  loseAnswer(): void {
    this.#losesAnswers += 1;
  }

  /**
   * The next connection that sends more than a MiB is cut after its last byte. What it sent reaches
   * the server with `release`: as through a proxy that keeps whole requests.
   */
  lag(): void {
    this.#lags += 1;
  }

  async stop(): Promise<void> {
    this.release();
    this.cut();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #pass(client: Socket): void {
    if (this.#closed) {
      client.destroy();
      return;
    }
    const server = connect(this.port, this.host);
    // Of the request that is being sent.
    let sent = 0;
    let late: Buffer[] | undefined;
    this.#sockets.set(client, 0);
    const end = () => {
      this.#sockets.delete(client);
      client.destroy();
      server.destroy();
    };
    // What has come reaches the server: a reset would take it from the buffers.
    const leave = () => {
      this.#sockets.delete(client);
      client.destroy();
      server.end();
    };
    client.on('error', leave).on('close', leave);
    server.on('error', end).on('close', end);
    client.on('data', (bytes) => {
      if (sent <= 1024 * 1024 && sent + bytes.length > 1024 * 1024) this.large += 1;
      sent += bytes.length;
      const counted = (this.#sockets.get(client) ?? 0) + bytes.length;
      this.#sockets.set(client, counted);
      const [limit] = this.#cuts;
      if (limit !== undefined && counted >= limit) {
        this.#cuts.shift();
        return end();
      }
      if (!late && this.#lags > 0 && sent > 1024 * 1024) {
        this.#lags -= 1;
        late = [];
      }
      if (late) {
        late.push(bytes);
        if (!bytes.subarray(-16).includes('--\r\n')) return;
        client.off('close', leave).destroy();
        this.#held.push(() => server.write(Buffer.concat(late ?? [])));
        return;
      }
      if (!server.write(bytes)) {
        client.pause();
        server.once('drain', () => client.resume());
      }
      this.#passing -= bytes.length;
      if (this.#holds && sent > 1024 * 1024 && this.#passing < 0) {
        client.pause();
        this.#held.push(() => client.resume());
      }
    });
    server.on('data', (bytes) => {
      if (this.#losesAnswers > 0 && sent > 1024 * 1024) {
        this.#losesAnswers -= 1;
        return end();
      }
      sent = 0;
      if (!client.destroyed) client.write(bytes);
    });
  }
}
