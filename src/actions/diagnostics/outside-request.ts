/** A request as a browser makes it, to where browsers reach the store. Bounded in time and size; follows no redirects. */

export interface OutsideAnswer {
  status: number;
  headers: Headers;
  /** At most `MOST` bytes of it. */
  body: Buffer;
}

const MOST = 64 * 1024;
const PATIENCE_MS = 10_000;

/** @throws an error that names the origin and a code; the address itself may be signed */
export async function outsideRequest(
  address: string,
  options: RequestInit = {},
): Promise<OutsideAnswer> {
  try {
    const { status, headers, body } = await fetch(address, {
      ...options,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return {
      status,
      headers,
      body: body ? await beginningOf(body as AsyncIterable<Uint8Array>) : Buffer.alloc(0),
    };
  } catch (error) {
    throw new Error(
      `${new URL(address).origin} cannot be reached (${reasonOf(error)}). Check that S3_PUBLIC_ENDPOINT, or S3_ENDPOINT without it, is where browsers reach the store.`,
    );
  }
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= MOST) break;
  }
  return Buffer.concat(chunks).subarray(0, MOST);
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as { name: string; cause?: { code?: string } };
  return name === 'TimeoutError'
    ? `no answer within ${PATIENCE_MS / 1000} s`
    : (cause?.code ?? name);
}
