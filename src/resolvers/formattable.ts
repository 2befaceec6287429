/** The HTML of texts. */
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { fieldWeights } from '../contract/field-weights.js';
import { Formattable } from '../models/formattable.js';

@Resolver(() => Formattable)
export class FormattableResolver {
  @FieldResolver(() => String, {
    description: 'The text as safe HTML.',
    complexity: fieldWeights.rendered,
  })
  html(@Root() { html, raw }: Formattable, @Ctx() { rendering }: Context): string {
    return html ?? rendering.htmlOf(raw);
  }
}
