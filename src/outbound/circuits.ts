/** A circuit breaker for each target: requests to a dead target fail at once. */
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleType,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import { within, type Deadline } from './deadline.js';
import { OutboundFailure, TargetDown } from './failure.js';

/** Failures in a row that open the circuit. */
const FAILURES = 5;
/** How long the circuit stays open. */
export const CIRCUIT_OPEN_MS = 10_000;

export class Circuits {
  readonly #circuits = new Map<string, CircuitBreakerPolicy>();
  /** When each target answered last: times of `performance.now()`. */
  readonly #answeredAt = new Map<string, number>();

  /**
   * Sends a request through the circuit breaker of its target.
   * @param origin names the target in messages
   * @throws OutboundFailure with the reason `circuit` while the circuit is open
   */
  async execute<T>(
    target: string,
    origin: string,
    deadline: Deadline,
    send: () => Promise<T>,
  ): Promise<T> {
    const circuit = this.#circuit(target);
    const isHalfOpen = circuit.state === CircuitState.HalfOpen;
    const execution = circuit.execute(() =>
      send().catch((error: unknown) => this.#rethrow(target, deadline, error)),
    );
    try {
      // While another request tests the target, this one waits for it, at most its own deadline.
      const answer = await (isHalfOpen
        ? within(
            deadline.leftMs,
            execution,
            () => new OutboundFailure('timeout', `${origin} did not answer in time.`),
          )
        : execution);
      this.#answeredAt.set(target, performance.now());
      return answer;
    } catch (error) {
      throw error instanceof BrokenCircuitError
        ? new OutboundFailure(
            'circuit',
            'It failed several times in a row and is left alone for some seconds.',
          )
        : error;
    }
  }

  /** Resets the circuit breaker of a target. */
  forget(target: string): void {
    this.#circuits.delete(target);
    this.#answeredAt.delete(target);
  }

  /**
   * Does not count a failure if the target has answered another request since it began. Then the
   * target is not down. The request only waited too long for a free connection.
   */
  #rethrow(target: string, { began }: Deadline, error: unknown): never {
    // Earlier answers do not matter for the request that tests a target after a pause.
    const isTest = this.#circuit(target).state === CircuitState.HalfOpen;
    throw error instanceof TargetDown && !isTest && (this.#answeredAt.get(target) ?? 0) > began
      ? new OutboundFailure(error.reason, error.message)
      : error;
  }

  #circuit(target: string): CircuitBreakerPolicy {
    let circuit = this.#circuits.get(target);
    if (!circuit) {
      circuit = circuitBreaker(handleType(TargetDown), {
        halfOpenAfter: CIRCUIT_OPEN_MS,
        breaker: new ConsecutiveBreaker(FAILURES),
      });
      this.#circuits.set(target, circuit);
    }
    return circuit;
  }
}
