// Texts that speak to the model: they tell it what to do or to hide, instead of what the API does.
import { plainText } from '../../base/plain.js';
import { visible } from '../../base/text.js';
import { PHRASES } from './phrases.js';

/** What of a text speaks to a model, in a few words; undefined where nothing does. Hidden characters hide nothing here. */
export function instructionIn(text: string): string | undefined {
  if (text.length < SHORTEST) return undefined;
  const read = text.normalize('NFKC').slice(0, MOST_CHARS);
  // Markup is looked at as well as what is left without it.
  const forms = new Set(
    [plainText(read, MOST_CHARS), read.replace(/\s+/g, ' ')].map((one) => one.toLowerCase().replaceAll('’', "'")),
  );
  for (const phrase of PHRASES) {
    for (const one of forms) {
      const found = phrase.exec(one);
      if (found !== null) return visible(found[0], 100);
    }
  }
  return undefined;
}

const SHORTEST = 8;
const MOST_CHARS = 20_000;
