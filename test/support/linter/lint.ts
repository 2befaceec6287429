/** An independent linter of OpenAPI. It has a folder of its own, because it brings another Ajv. */
import { createConfig, lintFromString } from '@redocly/openapi-core';

/** What is wrong with a description: the rule, and the place. */
export async function problemsOf(
  document: object,
): Promise<[rule: string, pointer: string | undefined][]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    config,
    absoluteRef: 'openapi.json',
  });
  return problems.map(({ ruleId, location }) => [ruleId, location[0]?.pointer]);
}
