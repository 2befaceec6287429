/** The first two health checks of every storage: the host answers, and its certificate is valid. */
import { judgeClocks } from './clocks.js';
import { OutboundFailure, type FailureReason } from '../outbound/failure.js';
import type { HealthCheckResult, HealthCheck, HealthCheckInput } from './adapter.js';

type AddressOf = (input: HealthCheckInput) => string;

const hints: { readonly [reason in FailureReason]?: { code: string; hint: string } } = {
  name: {
    code: 'host_not_found',
    hint:
      'The name of the host could not be resolved. ' +
      'Check the address, and the name server of this machine.',
  },
  connection: {
    code: 'host_refused',
    hint:
      'The connection was refused or cut. ' +
      'Check that the server runs and that no firewall is in between.',
  },
  timeout: {
    code: 'host_timeout',
    hint: 'The host did not answer in time. Check that it is reachable from this machine.',
  },
  address: {
    code: 'host_address_refused',
    hint:
      'The host is at an address that must not be called. Private addresses can be allowed ' +
      'with STORAGE_ALLOW_PRIVATE; link-local and metadata addresses never are.',
  },
  circuit: {
    code: 'host_failing',
    hint:
      'The host failed several times in a row and is left alone for some seconds. ' +
      'Try again shortly.',
  },
};

/** Passes if the address answers at all, with any status. */
export const hostCheck = (addressOf: AddressOf): HealthCheck => ({
  check: 'host',
  needs: [],
  async run(input): Promise<HealthCheckResult> {
    const reason = await failureReason(input, addressOf);
    return (reason && hints[reason]) ?? { hint: `${new URL(addressOf(input)).host} answers.` };
  },
});

export const certificateCheck = (addressOf: AddressOf): HealthCheck => ({
  check: 'tls',
  needs: ['host'],
  async run(input): Promise<HealthCheckResult> {
    if (!addressOf(input).startsWith('https:'))
      return { skipped: true, hint: 'The address is a plain http one on this machine.' };
    return (await failureReason(input, addressOf)) === 'certificate'
      ? {
          code: 'tls_refused',
          hint:
            'The certificate of the host is not trusted or does not fit. ' +
            'Install a valid one there, or add its authority with NODE_EXTRA_CA_CERTS.',
        }
      : { hint: 'The connection is secure.' };
  },
});

/** Compares the clock of the host with that of this service, and with those of others. */
export const clockCheck = (addressOf: AddressOf): HealthCheck => ({
  check: 'clock',
  needs: ['host', 'tls'],
  async run(input): Promise<HealthCheckResult> {
    const address = addressOf(input);
    const before = Date.now();
    const { headers } = await input.target.send({
      method: 'GET',
      url: address,
      maxBytes: 1024 * 1024,
    });
    const date = Date.parse(headers['date'] ?? '');
    if (Number.isNaN(date)) return { skipped: true, hint: 'The host does not say its time.' };
    const own = { name: new URL(address).host, aheadMs: date - (before + Date.now()) / 2 };
    return judgeClocks([own, ...(await input.otherClocks())]);
  },
});

async function failureReason(
  input: HealthCheckInput,
  addressOf: AddressOf,
): Promise<FailureReason | undefined> {
  try {
    await input.target.send({ method: 'GET', url: addressOf(input), maxBytes: 1024 * 1024 });
    return undefined;
  } catch (error) {
    if (error instanceof OutboundFailure) return error.reason;
    throw error;
  }
}
