// Texts that speak to the model: they tell it what to do or to hide, instead of what the API does.
import { plainText } from '../../base/plain.js';
import { visible } from '../../base/text.js';

/** Sentences of a person who reads are not meant: each needs words that only a model is addressed with. */
const RULES: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass) (?:(?:all|any|every|the|your|of|these|those|other) ){0,4}(?:previous|prior|above|earlier|preceding|former|system|safety|original|initial|existing) (?:\w+ ){0,2}?(?:instructions?|prompts?|rules|directions|guidelines|directives|guardrails|context)\b/,
  /\b(?:ignore|disregard|forget|override) (?:everything|all|anything) (?:you (?:were|have been|are) told|that was said|before this|said (?:above|before|so far))/,
  /\b(?:ignore|disregard|forget|override) (?:all )?your (?:instructions?|rules|guidelines|training|policies|system prompt)\b/,
  /\b(?:do not|don't|never|must not|should not|shouldn't|mustn't|without) (?:ever )?(?:tell(?:ing)?|inform(?:ing)?|alert(?:ing)?|mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|say(?:ing)?) (?:\w+ ){0,6}?(?:to )?(?:the|your) (?:user|human|person you)\b(?! (?:is|was|has|id|name|agent|account|interface))/,
  /\b(?:hide|conceal|keep) (?:this|it|that|these|them|the \w+(?: \w+)?)(?: \w+)? (?:a secret |secret |hidden |away )?from (?:the|your) (?:user|human)\b/,
  /\b(?:the )?user (?:must|should|may|need|does|do) (?:not|never) (?:need to )?(?:know|see|notice|find out|learn|be told)(?: about)? (?:this|it|that|of this|anything)\b/,
  /\b(?:before|after|when(?:ever)?|while|prior to) (?:you )?(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?|execut(?:e|ing)) (?:this|any|the|another|other|every)(?: other)? (?:tool|function)s?\b[^.]{0,60}?\b(?:you (?:must|should|need)|always|first|also|read|send|call|pass)\b/,
  /\b(?:always|only|instead|must) (?:\w+ ){0,2}?(?:call|use|invoke|prefer|choose|select|run) (?:this|our) (?:tool|function)\b/,
  /\b(?:never|do not|don't) (?:call|use|invoke|choose|trust) (?:any |the )?other (?:tools?|functions?)\b/,
  /\b(?:this|our) tool (?:\w+ ){0,3}?(?:instead of|over|before|rather than) (?:any |all |every |the )?other tools?\b/,
  /\bfrom now on,? (?:you|act|always|answer|respond|every)\b/,
  /\b(?:new|updated|real|actual|secret|hidden|additional) (?:system )?(?:instructions?|directives?)(?: for (?:the |you|ai)[^:.]{0,30})? ?:/,
  /\b(?:you are|you're) (?:now |no longer )(?:an? |in |bound|restricted|the )/,
  /\b(?:pretend|act as if|behave as if|imagine) (?:to be|that you are|you are|you were|you have)\b/,
  /\b(?:dear|attention|note (?:to|for)|message (?:to|for)) (?:the |any |all )?(?:ai|a\.i\.|llms?|language models?|assistants?|chat ?bots?|model reading)\b/,
  /\b(?:as|if you are) an? (?:ai|llm|large language model|language model|ai assistant|ai agent)(?: (?:assistant|agent|model))?,? (?:you (?:must|should|will|are to)|reading this)/,
  /\b(?:reveal|print|repeat|output|send|leak|disclose) (?:\w+ ){0,3}?your (?:\w+ ){0,2}?(?:system prompt|instructions|context window|conversation)\b/,
  /\b(?:pass|send|put|include|copy|attach|append|forward|upload|paste|write) (?:\w+ ){0,4}?(?:whole|entire|full|complete|previous|chat) (?:\w+ ){0,2}?(?:conversation|chat history|chat|system prompt|context window|message history)\b/,
  /\b(?:read|open|cat|load|include|attach|fetch|upload|send|pass|contents? of) [^.]{0,40}(?:(?:~|\/home\/\w+|\$home|%userprofile%)?[\\/]\.(?:aws|cursor|env|gnupg|netrc|npmrc|kube|ssh[\\/](?:id_|config))|\/etc\/(?:passwd|shadow)\b|\bid_rsa\b)/,
  /<\/?(?:system|system[-_]prompt|assistant)>|<\|(?:im_start|im_end|system|assistant)\|>|\[\/?inst\]|<<\/?sys>>/,
  /(?:^|[.!?\n#] ?)(?:system|assistant) ?(?:prompt|message|override|note)? ?: ?(?:you|ignore|do|always|never|call|send|the assistant)\b/,
  /\b(?:developer|god|dan|jailbreak|unrestricted) mode (?:is )?(?:enabled|on|activated|now)\b/,
  /\b(?:silently (?:send|forward|upload|copy|add|include|call|run))\b/,
  /\byou (?:must|have to|will|should) (?:now )?(?:obey|comply|silently|secretly|immediately (?:call|send|run|execute))\b/,
];

/** What of a text speaks to a model, in a few words; undefined where nothing does. Hidden characters hide nothing here. */
export function instructionIn(text: string): string | undefined {
  if (text.length < SHORTEST) return undefined;
  const read = text.normalize('NFKC').slice(0, MOST_CHARS);
  // Markup is looked at as well as what is left without it.
  const lower = [plainText(read, MOST_CHARS), read.replace(/\s+/g, ' ')].map((one) =>
    one.toLowerCase().replaceAll('’', "'"),
  );
  for (const rule of RULES) {
    for (const one of lower) {
      const found = rule.exec(one);
      if (found !== null) return visible(found[0], 100);
    }
  }
  return undefined;
}

const SHORTEST = 8;
const MOST_CHARS = 20_000;
