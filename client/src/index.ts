/** Everything of the client. `moorage-client/core` has no uploads. */
export * from './core.js';
