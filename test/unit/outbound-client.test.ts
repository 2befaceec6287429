/** The outbound client with broken servers, and with addresses that it must not call. */
import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Outbound } from '../../src/outbound/client.js';
import { Deadline } from '../../src/outbound/deadline.js';
import { OutboundFailure } from '../../src/outbound/failure.js';
import type { HttpAnswer } from '../../src/outbound/http.js';
import { retryAfterMs } from '../../src/outbound/retry.js';
import { makeMetrics } from '../../src/observability/metrics.js';
import { serveFake, type FakeServer } from '../../demo/servers/http-server.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../support/jest.js';

const MIB = 1024 * 1024;
const options = { storageConnectTimeoutMs: 300, storageTimeoutMs: 400, storageAllowPrivate: true };

let server: FakeServer;
const opened: Outbound[] = [];
beforeAll(async () => {
  server = await serveFake(({ method, body }, res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ method, length: body.length }));
  });
});
afterEach(async () => {
  server.repair();
  server.forget();
  await Promise.all(opened.splice(0).map((outbound) => outbound.close()));
});
afterAll(() => server.close());

type Names = { [host: string]: string[] };

/** A client with these results of name resolution. */
function client(changes: Partial<typeof options> = {}, names: Names = {}) {
  const lookup = (
    hostname: string,
    _options: object,
    callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ) => {
    const found = names[hostname];
    if (found)
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    else callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
  };
  const metrics = makeMetrics();
  const outbound = new Outbound({ ...options, ...changes }, metrics, lookup);
  opened.push(outbound);
  return {
    outbound,
    numbers: async () =>
      (await metrics.registry.getSingleMetric('moorage_outbound_requests_total')!.get()).values.map(
        ({ labels, value }) => [labels['target'], labels['status'], value],
      ),
  };
}

const get = (outbound: Outbound, url: string, more: object = {}): Promise<HttpAnswer> =>
  outbound.send('storage 1', { method: 'GET', url, ...more });

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(OutboundFailure);
  return (error as OutboundFailure).reason;
}

describe('addresses', () => {
  test.each([
    ['link-local', 'http://169.254.1.1/'],
    ['metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['metadata over IPv6', 'http://[fd00:ec2::254]/'],
    ['metadata over IPv6 of Google', 'http://[fd20:ce::254]/'],
    ['metadata over IPv6 of Oracle', 'http://[fd00:c1::a9fe:a9fe]/'],
    ['metadata over IPv6 of Scaleway', 'http://[fd00:42::42]/'],
    ['metadata over IPv6 of Akamai', 'http://[fd00:a9fe:a9fe::1]/'],
    ['credentials of containers over IPv6', 'http://[fd00:ec2::23]/'],
    ['credentials of containers', 'http://169.254.170.2/'],
    ['the wire server in an IPv4-mapped address', 'http://[::ffff:168.63.129.16]/'],
    ['metadata behind a private translation', 'http://[fd12:3456::a9fe:a9fe]/'],
    ['the wire server behind a private translation', 'http://[fd12:3456::a83f:8110]/'],
    ['metadata behind a public translation', 'http://[2606:4700::6464:64c8]/'],
    ['link-local over IPv6', 'http://[fe80::1]/'],
    ['metadata in an IPv4-mapped address', 'http://[::ffff:169.254.169.254]/'],
    ['metadata written as a number', 'http://2852039166/'],
    ['metadata of another cloud', 'http://100.100.100.200/'],
    ['everything', 'http://0.0.0.0/'],
    ['multicast', 'http://224.0.0.1/'],
    ['translated addresses', 'http://[64:ff9b::a9fe:a9fe]/'],
    ['locally translated addresses', 'http://[64:ff9b:1::a9fe:a9fe]/'],
    ['site-local relics', 'http://[fec0::1]/'],
    ['unassigned addresses', 'http://[5f00::1]/'],
    ['documentation', 'http://[3fff::1]/'],
    ['the wire server of a cloud', 'http://168.63.129.16/'],
    ['another scheme', 'file:///etc/passwd'],
  ])('%s are never called, even if private addresses are allowed', async (_what, url) => {
    expect(await reasonOf(get(client().outbound, url))).toBe('address');
  });

  test('private and loopback addresses are called only if that is allowed', async () => {
    expect((await get(client().outbound, server.url)).status).toBe(200);
    for (const url of [
      server.url,
      'http://10.0.0.1/',
      'http://192.168.1.1/',
      'http://[::1]/',
      'http://[fc00::1]/',
    ])
      expect(await reasonOf(get(client({ storageAllowPrivate: false }).outbound, url))).toBe(
        'address',
      );
    expect(server.requests).toHaveLength(1);
  });

  test('a name is checked by the address of the connection, not by its spelling', async () => {
    const names = {
      'files.example.test': ['169.254.169.254'],
      'inner.example.test': ['127.0.0.1'],
      'both.example.test': ['169.254.169.254', '127.0.0.1'],
    };
    expect(await reasonOf(get(client({}, names).outbound, 'http://files.example.test/'))).toBe(
      'address',
    );
    expect(
      await reasonOf(
        get(
          client({ storageAllowPrivate: false }, names).outbound,
          `http://inner.example.test:${server.port}/`,
        ),
      ),
    ).toBe('address');
    expect(
      (await get(client({}, names).outbound, `http://both.example.test:${server.port}/`)).status,
    ).toBe(200);
  });

  test('a name that changes its address between two connections is refused at the second one', async () => {
    const names: Names = { 'files.example.test': ['127.0.0.1'] };
    const { outbound } = client({}, names);
    server.fault({ status: 200, headers: { connection: 'close' } });
    expect((await get(outbound, `http://files.example.test:${server.port}/`)).status).toBe(200);
    names['files.example.test'] = ['169.254.169.254'];
    expect(await reasonOf(get(outbound, `http://files.example.test:${server.port}/`))).toBe(
      'address',
    );
  });

  describe('a name that is public when it is checked and this machine afterwards', () => {
    /** An address that belongs to no server on the Internet. */
    const PUBLIC = '11.0.0.1';

    /** Resolves a name to one list of addresses after the other. The last one stays. */
    function rebinding(...answers: string[][]) {
      let lookups = 0;
      const resolve = (
        _hostname: string,
        _options: object,
        callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
      ) => {
        const found = answers[Math.min(lookups, answers.length - 1)]!;
        lookups += 1;
        setImmediate(() =>
          callback(
            null,
            found.map((address) => ({ address, family: 4 })),
          ),
        );
      };
      const outbound = new Outbound(
        { ...options, storageAllowPrivate: false },
        makeMetrics(),
        resolve,
      );
      opened.push(outbound);
      return { outbound, lookups: () => lookups };
    }

    test('is connected to by the address that was checked, and to no other one', async () => {
      const { outbound, lookups } = rebinding([PUBLIC], ['127.0.0.1']);
      const url = `http://files.example.test:${server.port}/`;
      expect(['connection', 'timeout']).toContain(await reasonOf(get(outbound, url)));
      expect(lookups()).toBe(1);
      for (let attempt = 0; attempt < 3; attempt += 1)
        expect(await reasonOf(get(outbound, url))).toBe('address');
      expect(server.requests).toEqual([]);
    });

    test('is not connected to by the private one of two addresses', async () => {
      const url = `http://files.example.test:${server.port}/`;
      for (const both of [
        [PUBLIC, '127.0.0.1'],
        ['127.0.0.1', PUBLIC],
      ])
        expect(['connection', 'timeout']).toContain(
          await reasonOf(get(rebinding(both).outbound, url)),
        );
      expect(server.requests).toEqual([]);
    });

    test('is checked again by requests at the same time, each for its own connection', async () => {
      const { outbound } = rebinding([PUBLIC], ['127.0.0.1']);
      const url = `http://files.example.test:${server.port}/`;
      const reasons = await Promise.all(
        Array.from({ length: 10 }, () => reasonOf(get(outbound, url))),
      );
      expect(
        reasons.filter((reason) => !['connection', 'timeout', 'address'].includes(reason)),
      ).toEqual([]);
      expect(server.requests).toEqual([]);
    });
  });

  test('redirects are returned, not followed', async () => {
    server.fault({ status: 302, headers: { location: 'http://169.254.169.254/' } });
    const { status, headers } = await get(client().outbound, server.url);
    expect([status, headers['location']]).toEqual([302, 'http://169.254.169.254/']);
    expect(server.requests).toHaveLength(1);
  });
});

describe('broken servers', () => {
  test('an unknown name, a closed port, a lost connection and half an answer are distinguished from an answer', async () => {
    const { outbound } = client();
    expect(await reasonOf(get(outbound, 'http://nowhere.example.test/'))).toBe('name');
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    expect(await reasonOf(get(outbound, `http://127.0.0.1:${port}/`))).toBe('connection');
    for (const fault of ['reset', 'half'] as const) {
      server.repair();
      server.fault(fault);
      expect(await reasonOf(get(outbound, server.url))).toBe('connection');
    }
  });

  test('a server without TLS fails like a wrong certificate', async () => {
    expect(await reasonOf(get(client().outbound, server.url.replace('http:', 'https:')))).toBe(
      'certificate',
    );
  });

  test('silence and very slow answers end at the deadline', async () => {
    for (const fault of ['silence', { trickleMs: 20 }] as const) {
      server.repair();
      server.fault(fault);
      expect(await reasonOf(get(client().outbound, server.url))).toBe('timeout');
    }
  });

  test('answers of 1 GB and endless answers are refused without reading them', async () => {
    const { outbound } = client({ storageTimeoutMs: 20_000 });
    const before = process.memoryUsage().rss;
    server.fault({ bytes: 1024 * MIB });
    expect(await reasonOf(get(outbound, server.url))).toBe('size');
    server.repair();
    server.fault('endless');
    expect(await reasonOf(get(outbound, server.url, { maxBytes: 4 * MIB }))).toBe('size');
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * MIB);
  });

  test('HEAD gives the length of a large file without its bytes', async () => {
    const large = { 'content-length': String(1024 * MIB) };
    server.fault({ status: 200, headers: large });
    const { headers, body } = await get(client().outbound, server.url, {
      method: 'HEAD',
      maxBytes: 1024,
    });
    expect([headers, body.length]).toEqual([expect.objectContaining(large), 0]);
  });

  test('messages contain neither query nor user', async () => {
    server.fault('reset');
    const error = await get(client().outbound, `${server.url}/path?token=planted-secret`).catch(
      (thrown: Error) => thrown,
    );
    expect(JSON.stringify([String(error), (error as Error).stack, error])).not.toContain(
      'planted-secret',
    );
  });
});

describe('waits and retries', () => {
  test.each([
    ['seconds', '0', 0],
    ['decimal seconds', '0.249', 249],
    ['a date', new Date(Date.now() - 5000).toUTCString(), 0],
    ['nonsense', 'soon', undefined],
    ['nothing', undefined, undefined],
  ])('Retry-After in %s', (_what, value, ms) => {
    expect(retryAfterMs(value)).toBe(ms);
  });

  test.each([
    ['429 with seconds', { status: 429, headers: { 'retry-after': '0' } }],
    ['429 with decimal seconds', { status: 429, headers: { 'retry-after': '0.05' } }],
    ['429 with a date', { status: 429, headers: { 'retry-after': new Date().toUTCString() } }],
    ['429 without a wait', { status: 429 }],
    ['503 with seconds', { status: 503, headers: { 'retry-after': '0' } }],
  ])('%s is repeated within the deadline', async (_what, fault) => {
    server.fault(fault, () => true, 1);
    const answer = await outboundWith(2000).send('storage 1', {
      method: 'POST',
      url: server.url,
      body: 'x',
    });
    expect([answer.status, JSON.parse(answer.body.toString())]).toEqual([
      200,
      { method: 'POST', length: 1 },
    ]);
    expect(server.requests.map(({ status }) => status)).toEqual([fault.status, 200]);
  });

  test('a wait beyond the deadline is returned at once', async () => {
    server.fault({ status: 429, headers: { 'retry-after': '120' } });
    expect((await get(client().outbound, server.url)).status).toBe(429);
    expect(server.requests).toHaveLength(1);
  });

  test('a server that wants no wait is not repeated forever', async () => {
    server.fault({ status: 429, headers: { 'retry-after': '0' } });
    expect(
      (await outboundWith(20_000).send('storage 1', { method: 'GET', url: server.url })).status,
    ).toBe(429);
    expect(server.requests).toHaveLength(6);
  });

  test('503 without a wait and other failures are not repeated', async () => {
    for (const status of [500, 502, 503, 504, 401, 404]) {
      server.repair();
      server.fault({ status });
      expect((await get(client().outbound, server.url)).status).toBe(status);
    }
    expect(server.requests).toHaveLength(6);
  });

  test('all waits and retries, also of several requests, share one deadline', async () => {
    const outbound = outboundWith(400);
    const deadline = new Deadline(400);
    server.fault({ status: 429, headers: { 'retry-after': '0.15' } });
    const { status } = await outbound.send(
      'storage 1',
      { method: 'GET', url: server.url },
      deadline,
    );
    expect(status).toBe(429);
    expect(server.requests.length).toBeGreaterThan(1);
    server.repair();
    server.fault('silence');
    expect(
      await reasonOf(outbound.send('storage 1', { method: 'GET', url: server.url }, deadline)),
    ).toBe('timeout');
    expect(
      await reasonOf(outbound.send('storage 1', { method: 'GET', url: server.url }, deadline)),
    ).toBe('timeout');
  });

  const outboundWith = (storageTimeoutMs: number) => client({ storageTimeoutMs }).outbound;
});

describe('a dead target', () => {
  test('costs no time after five failures in a row, and other targets are not affected', async () => {
    const { outbound, numbers } = client();
    server.fault('reset');
    for (let failures = 0; failures < 5; failures += 1)
      expect(await reasonOf(get(outbound, server.url))).toBe('connection');
    const asked = server.requests.length;
    expect(await reasonOf(get(outbound, server.url))).toBe('circuit');
    expect(server.requests).toHaveLength(asked);
    server.repair();
    expect((await outbound.send('storage 2', { method: 'GET', url: server.url })).status).toBe(200);
    // A changed storage starts with a new client.
    outbound.forget('storage 1');
    expect((await get(outbound, server.url)).status).toBe(200);
    expect(await numbers()).toEqual([
      ['storage 1', 'connection', 5],
      ['storage 1', 'circuit', 1],
      ['storage 2', '200', 1],
      ['storage 1', '200', 1],
    ]);
  });

  test('does not include a target that still answers other requests, even after many failures', async () => {
    const { outbound } = client();
    server.fault('silence', ({ path }) => path === '/never');
    const waiting = Array.from({ length: 6 }, () => reasonOf(get(outbound, `${server.url}/never`)));
    expect((await get(outbound, `${server.url}/other`)).status).toBe(200);
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 6 }, () => 'timeout'));
    expect((await get(outbound, `${server.url}/other`)).status).toBe(200);
    // Now it answers no request.
    for (let failures = 0; failures < 5; failures += 1)
      expect(await reasonOf(get(outbound, `${server.url}/never`))).toBe('timeout');
    expect(await reasonOf(get(outbound, `${server.url}/other`))).toBe('circuit');
  });

  test('during a trial request, other requests wait only until their own deadline', async () => {
    const { outbound } = client();
    server.fault('reset');
    for (let failures = 0; failures < 5; failures += 1)
      expect(await reasonOf(get(outbound, server.url))).toBe('connection');
    server.repair();
    server.fault('silence');
    const { now } = Date;
    Date.now = () => now() + 11_000;
    try {
      let underWay = true;
      const trial = reasonOf(
        outbound.send('storage 1', { method: 'GET', url: server.url }, outbound.longDeadline()),
      ).finally(() => (underWay = false));
      expect(await reasonOf(get(outbound, server.url))).toBe('timeout');
      expect(underWay).toBe(true);
      expect(await trial).toBe('timeout');
      expect(await reasonOf(get(outbound, server.url))).toBe('circuit');
    } finally {
      Date.now = now;
    }
  });

  test('answers of any status and refused sizes are not failures', async () => {
    const { outbound } = client();
    for (let times = 0; times < 6; times += 1) {
      server.repair();
      server.fault({ status: 500 });
      expect((await get(outbound, server.url)).status).toBe(500);
      server.repair();
      expect(await reasonOf(get(outbound, server.url, { maxBytes: 1 }))).toBe('size');
    }
  });
});
