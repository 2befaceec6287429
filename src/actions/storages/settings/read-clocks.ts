/** Reads the clocks of other servers from the header `Date` of their answers. */
import type { Context, Services } from '../../../context.js';
import { OutboundFailure } from '../../../outbound/failure.js';
import type { HealthCheckResult } from '../../../storages/adapter.js';
import { judgeClocks, type Clock } from '../../../storages/clocks.js';

const TARGET = 'clocks';
const MAX_BYTES = 1024 * 1024;

interface Place {
  name: string;
  url: string;
}

/** The object store and the OpenID provider, if the settings name them. */
export async function ownPlaces({ blobs, openId }: Services): Promise<Place[]> {
  const store = await blobs.origin?.();
  return [
    ...(store === undefined ? [] : [{ name: new URL(store).host, url: store }]),
    ...(openId ? [{ name: openId.host, url: openId.address }] : []),
  ];
}

/** Servers that do not answer, or without a date, are left out. */
export async function readClocks(
  { outbound }: Pick<Context, 'outbound'>,
  places: readonly Place[],
): Promise<Clock[]> {
  const found = await Promise.all(
    places.map(async ({ name, url }): Promise<Clock[]> => {
      try {
        const before = Date.now();
        const { headers } = await outbound.send(TARGET, {
          method: 'GET',
          url,
          maxBytes: MAX_BYTES,
        });
        const date = Date.parse(headers['date'] ?? '');
        return Number.isNaN(date) ? [] : [{ name, aheadMs: date - (before + Date.now()) / 2 }];
      } catch (error) {
        if (!(error instanceof OutboundFailure)) throw error;
        return [];
      }
    }),
  );
  return found.flat();
}

/** Compares the clock of this service with those of other servers. */
export async function judgeOwnClock(
  needs: Pick<Context, 'outbound'>,
  places: readonly Place[],
): Promise<HealthCheckResult> {
  const clocks = await readClocks(needs, places);
  return clocks.length > 0
    ? judgeClocks(clocks)
    : { skipped: true, hint: 'not checked: no other server says its time' };
}
