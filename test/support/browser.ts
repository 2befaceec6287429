/** A real browser for the tests: Debian's Chromium, headless. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser } from 'playwright-core';
import { describeWith, findProgram } from './programs.js';

/** The first one is the same browser without its windows. It takes less processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Where the browser is; undefined without one. */
export const program = findProgram(...NAMES);

/** `describe` for tests with a browser. */
export const describeBrowser = (name: string, tests: () => void): void =>
  describeWith(NAMES, 'REQUIRE_BROWSER', name, tests);

export async function startBrowser(): Promise<Browser> {
  if (program === undefined) throw new Error('chromium is not installed');
  // Root cannot use Chromium's sandbox. The tests open only our own pages.
  return chromium.launch({
    executablePath: program,
    headless: true,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** An empty page with a different origin, like a separate front end. */
export async function startFrontEnd(): Promise<{ origin: string; stop(): Promise<void> }> {
  const server = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Front end</title>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
