/** Opens the configured virus scanner. */
import { openClamd } from './clamd.js';
import type { Scanner, ScannerAddress, Timeouts } from './scanner.js';

export const openScanner = (address: ScannerAddress, timeouts: Partial<Timeouts> = {}): Scanner =>
  openClamd(address, timeouts);
