/** Types of the recorded answers. */
import type { Profile } from '../../src/contract/profiles.js';

export interface ExampleAnswer {
  status: number;
  /** Media type; undefined without a body. */
  type?: string;
  body?: unknown;
}

export type ExampleAnswers = {
  readonly [profile in Profile['name']]: { readonly [operationId: string]: ExampleAnswer };
};
