/** Sends a request to the object store as a browser would. */

interface OutsideAnswer {
  status: number;
  headers: Headers;
  /** The first `MAX_BYTES` of it. */
  body: Buffer;
}

const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 10_000;

/**
 * Follows no redirects.
 * @throws an error that names only the origin and a code, because the address may be signed
 */
export async function outsideRequest(
  address: string,
  options: RequestInit = {},
): Promise<OutsideAnswer> {
  try {
    const { status, headers, body } = await fetch(address, {
      ...options,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return {
      status,
      headers,
      body: body ? await beginningOf(body) : Buffer.alloc(0),
    };
  } catch (error) {
    throw new Error(
      `${new URL(address).origin} cannot be reached (${reasonOf(error)}). ` +
        'Check that S3_PUBLIC_ENDPOINT, or S3_ENDPOINT without it, ' +
        'is where browsers reach the store.',
    );
  }
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= MAX_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES);
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as { name: string; cause?: { code?: string } };
  return name === 'TimeoutError'
    ? `no answer within ${TIMEOUT_MS / 1000} s`
    : (cause?.code ?? name);
}
