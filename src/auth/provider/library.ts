/**
 * Loads the OAuth 2 library by its inner files, because its entry file prints a warning on
 * Node.js 20. The version is pinned, so the paths cannot change.
 */
import type Provider from 'oidc-provider';
import type { errors as Errors, interactionPolicy as Policy } from 'oidc-provider';

export interface Library {
  Provider: typeof Provider;
  errors: typeof Errors;
  policy: typeof Policy;
}

export async function loadLibrary(): Promise<Library> {
  const [{ Provider }, errors, policy] = (await Promise.all([
    // @ts-expect-error It has no types.
    import('oidc-provider/lib/provider.js'),
    // @ts-expect-error It has no types.
    import('oidc-provider/lib/helpers/errors.js'),
    // @ts-expect-error It has no types.
    import('oidc-provider/lib/helpers/interaction_policy/index.js'),
  ])) as [Pick<Library, 'Provider'>, Library['errors'], Library['policy']];
  return { Provider, errors, policy };
}
