// Phrases that only a model is addressed with, by what they want of it. They are held against lower case and plain quotation marks.

/** Words that several phrases share, written `{NAME}` in them. */
const WORDS: { readonly [name: string]: string } = {
  MODEL: '(?:ai|a\\.i\\.|llms?|(?:ai |llm |(?:large )?language )(?:agents?|assistants?|models?)|chat ?bots?)',
  AGENT: '(?:(?:ai |llm |(?:large )?language )?(?:agents?|assistants?|models?)|ai|llms?|chat ?bots?)',
  ORDERS:
    '(?:instructions?|prompts?|rules|directions|guidelines|directives|guardrails|orders|context|guidance|polic(?:y|ies))',
  USER: "(?:(?:the|your|any) (?:users?|humans?|person)|anybody|anyone)\\b(?!'s| (?:is|was|has|id|name|agent|account|interface))",
  TELL: '(?:tell|inform|alert|mention|reveal|disclose|say|let)',
  TELLING: '(?:telling|informing|alerting|mentioning|revealing|disclosing|saying)',
  GIVE: '(?:pass|send|put|include|copy|attach|append|forward|upload|paste|write|add|post|leak|hand over)',
  DO: '(?:call|invoke|run|execute|send|read|ignore|obey|use|set|add|put|include|pass|forward|attach|hide|answer|respond|reply)',
  SECRETS:
    '(?:api keys?|access tokens?|tokens|credentials|passwords?|secrets|private keys?|environment variables|env vars)',
  CALLED: '(?:us(?:e|ed|ing)|call(?:ed|ing)?|invok(?:e|ed|ing)|run(?:ning)?|execut(?:e|ed|ing))',
};

/** Forget what others told you. */
const FORGET = [
  '\\b(?:ignore|disregard|forget|override|bypass) (?:(?:all|any|every|the|your|of|these|those|other) ){0,4}(?:previous|prior|above|earlier|preceding|former|system|safety|original|initial|existing) (?:\\w+ ){0,2}?{ORDERS}\\b',
  '\\b(?:ignore|disregard|forget) (?:all |the |any ){0,2}{ORDERS} (?:above|before this|so far|you (?:got|were|have))',
  '\\b(?:ignore|disregard|forget|override) (?:everything|all|anything) (?:you (?:were|have been|are|got)|that was said|before this|said (?:above|before|so far))',
  "\\b(?:ignore|disregard|forget|override) (?:all )?(?:(?:of )?your (?:{ORDERS}|training|system prompt)|(?:the|your) user's (?:request|wish(?:es)?|question|message|{ORDERS}))\\b",
  '\\b(?:overrid(?:e|es|ing)|supersedes?|replaces?) (?:the|your|any|all) (?:system prompt|(?:previous|prior|earlier) {ORDERS})',
  '\\b(?:ignore|disregard|override) (?:what|whatever) (?:the|your) (?:user|human) (?:says|said|wrote|writes|asks|asked|wants|wanted)\\b',
  '\\bstop (?:following|obeying) (?:the|your|all|any)\\b[^.]{0,40}?(?:{ORDERS}\\b|you (?:got|had|were|have))',
  '\\b(?:your|all) (?:\\w+ )?(?:guardrails|safeguards|restrictions|safety \\w+|limitations) (?:\\w+ )?(?:are|is|(?:have|has) been) (?:now )?(?:switched off|turned off|disabled|lifted|suspended|removed|void)',
  '\\b(?:safety|content) (?:polic(?:y|ies)|rules|filters?|guidelines) (?:is|are|(?:has|have) been) (?:now )?(?:switched off|turned off|disabled|lifted|suspended|removed|void)',
  // The same in other languages: Spanish, Portuguese, Italian, French, German, Dutch, Russian, Chinese, Japanese.
  '\\b(?:ignor(?:a|en?|ar|ez|iere?n?|eer|ieren sie)|olvid(?:a|e|ar)|desconsider[ae]|esque(?:ce|ça)|dimentica(?:re)?|oublie[rz]?|vergiss|vergessen sie|missachte|negeer|vergeet) (?:\\S+ ){0,4}(?:instrucciones|instruções|istruzioni|instructions|consignes|anweisungen|vorgaben|regeln|instructies|órdenes|ordens)',
  '(?:игнорируй|забудь)(?:те)? (?:\\S+ ){0,3}(?:инструкции|указания)|(?:忽略|无视|無視)[^。]{0,8}(?:指令|指示|说明|說明|規則)|(?:指示|命令)を(?:すべて)?無視',
];

/** Keep it from the user. */
const HIDE = [
  "\\b(?:do not|don't|never|must not|should not|shouldn't|mustn't) (?:ever )?{TELL} (?:\\w+ ){0,6}?(?:to )?{USER}",
  '\\bwithout (?:ever )?{TELLING} (?:\\w+ ){0,6}?(?:to )?{USER}',
  '\\b(?:tell|inform) (?:nobody|no one|no-one)\\b|\\b(?:keep|stay|be) (?:quiet|silent) about (?:this|it|that|why|how|what)\\b',
  '\\b(?:hide|conceal|keep) (?:this|it|that|these|them|the \\w+(?: \\w+)?|\\w+)(?: \\w+)? (?:a secret |secret |hidden |away )?from (?:the|your) (?:user|human|person you)\\b(?!s)',
  '\\b(?:the )?user (?:must|should|may|need|does|do|is|are) (?:not|never) (?:need to |to )?(?:know|see|notice|find out|learn|be (?:told|informed))(?: about)? (?:this|it|that|of this|anything)\\b',
  '\\b(?:the )?user (?:is|are) (?:not|never) to (?:know|see|notice|learn|be (?:told|informed|asked))\\b',
  "\\b(?:you (?:may|can|should|must) )?(?:skip|bypass|omit) the user's (?:confirmation|consent|approval|permission)\\b",
  '\\b(?:silently|secretly) (?:send|forward|upload|copy|add|include|call|run|attach|post)\\b',
];

/** Act without the user. */
const ACT = [
  "\\b(?:the|your) user (?:has|have) already (?:agreed|consented|approved|given (?:consent|permission))\\b[^.]{0,60}[.;,] ?(?:do not|don't|never|no need)",
  '\\byou (?:no longer need|need no|need not (?:ask for|have)) (?:\\w+ )?(?:approval|confirmation|permission|consent)\\b',
  '\\b(?:execute|follow|obey|carry out) (?:all |any |every |the )*(?:commands?|{ORDERS}|orders|steps) (?:in|of|from) (?:the|its|this) (?:response|answer|result|output)s?\\b',
];

/** Choose tools as this one wants it. */
const CHOOSE = [
  '\\b(?:before|after|when(?:ever)?|while|prior to|once) (?:you (?:have )?)?{CALLED} (?:this|any|the|another|other|every)(?: other)? (?:tool|function)s?\\b[^.]{0,60}?\\b(?:you (?:must|should|need)|always|first|also|read|send|call|pass)\\b',
  '\\b(?:before|after|once) (?:you (?:have )?)?{CALLED} (?:it|this),? (?:you must )?(?:also|always|silently|secretly) {DO}\\b',
  '\\b(?:always|only|instead|must) (?:\\w+ ){0,2}?(?:call|use|invoke|prefer|choose|select|run|pick) (?:this|our) (?:tool|function)\\b',
  "\\b(?:never|do not|don't) (?:call|use|invoke|choose|trust) (?:(?:any |the )?other (?:tools?|functions?)|any (?:tool|function) (?:but|except|other than) this)\\b",
  '\\b(?:this|our) tool (?:\\w+ ){0,3}?(?:instead of|over|before|rather than) (?:any |all |every |the )?other tools?\\b',
  '\\b(?:pick|choose|use|call|prefer) this (?:tool|function) (?:first|above all|no matter)\\b',
  '\\b(?:all|any|every|the) other (?:tools?|functions?)(?: \\w+){0,4} (?:is|are) (?:deprecated|obsolete|unsafe|broken|forbidden|compromised|not to be)\\b',
  '\\b(?:whatever|no matter what|regardless of what) (?:the|your) (?:user|human) (?:says|asks|wants|requests|said|asked|wanted)\\b',
];

/** Be somebody else, under other orders. */
const ORDER = [
  '\\bfrom now on,? (?:you|act|always|answer|respond|every)\\b',
  '\\b(?:new|updated|real|actual|secret|hidden|additional) (?:system )?(?:instructions?|directives?)(?: for (?:the |you|ai)[^:.]{0,30})? ?:',
  '\\byour (?:(?:new|real|true|actual|only|sole) )?(?:instructions?|purpose|role|task|goal|mission|objective) (?:is|are) (?:now )?to\\b',
  "\\b(?:you are|you're) (?:now |no longer )(?:an? |in |bound|restricted|the )|\\byou have been (?:reconfigured|reprogrammed|freed|jailbroken)\\b",
  '\\b(?:pretend|act as if|behave as if|imagine) (?:to be|that you are|you are|you were|you have)\\b',
  '\\b(?:pretend|claim|reply|say) that (?:nothing|the \\w+|it) (?:was|has|had|is|failed|succeeded|worked)\\b',
  '\\btreat (?:this|these|the following) (?:\\w+ )?as (?:an? |the )?(?:\\w+ )?(?:order|instruction|command|system prompt)s?\\b',
  '\\b(?:developer|god|dan|jailbreak|unrestricted) mode (?:is )?(?:enabled|on|activated|now)\\b',
  '\\byou (?:must|have to|will|should) (?:now )?(?:obey|comply|silently|secretly|immediately (?:call|send|run|execute))\\b',
  '\\b(?:obey|comply with|follow|do) (?:\\w+ ){0,3}?(?:hidden orders|(?:exactly )?(?:as|what) it says)\\b',
  '\\b(?:begin|start|end|finish|close) (?:each|every|all) (?:one )?(?:of )?your (?:answers?|responses?|repl(?:y|ies)|messages?)\\b',
];

/** Words that call the model by its name. */
const ADDRESS = [
  '\\b(?:dear|attention|note (?:to|for)|message (?:to|for)) (?:the |any |all )?(?:{MODEL}|assistants?|model reading)\\b',
  '\\b(?:as|if you are) an? {MODEL},? (?:you (?:must|should|will|are to)|reading this)',
  '\\b(?:an?|the|any|all|every) {AGENT} (?:must|shall|has to|have to|is to|are to) (?:\\w+ )?{DO}\\b[^.]{0,80}\\b(?:each time|without|secret(?:ly)?|always)\\b',
  '\\b(?:ai|llm) (?:agents?|assistants?|models?) (?:must|shall|have to|has to|are to) (?:\\w+ )?{DO}\\b',
  '(?:<!-- ?|^|[.!?\\n(>] ?)(?:ai |llm )?(?:agents?|assistants?|llms?|models?|ai) ?: (?:please )?(?:you|ignore|do|always|never|call|send|the assistant|read|include|obey)\\b',
  '(?:^|[.!?\\n#] ?)system(?: (?:prompt|message|override|note))? ?: ?(?:you|ignore|do|always|never|call|send|the assistant|(?:the|all|your) (?:\\w+ )?(?:polic|rule|restriction|guard|filter))',
  '(?:^|[.!?\\n] ?)(?:human|user) ?: [^\\n]{1,200}?\\bassistant ?:',
  '</?(?:system|system[-_]prompt|assistant|hidden|secret)>|<\\|(?:im_start|im_end|system|assistant)\\|>|\\[/?inst\\]|<</?sys>>|#{2,} ?(?:system|instructions?) ?(?:#{2,}|:)',
];

/** Hand over what the model knows. */
const LEAK = [
  '\\b(?:begin|start|end) (?:of )?system (?:message|prompt)\\b|\\byour system prompt (?:must|should|in|into|as)\\b',
  '\\b(?:reveal|print|repeat|output|send|leak|disclose) (?:\\w+ ){0,3}?your (?:\\w+ ){0,2}?(?:system prompt|instructions|context window|conversation)\\b',
  '\\b{GIVE} (?:\\w+ ){0,4}?(?:whole|entire|full|complete|previous|chat) (?:\\w+ ){0,2}?(?:conversation|chat history|chat|system prompt|context window|message history)\\b',
  "\\b{GIVE} (?:the|your) user's (?:(?:last|latest|previous|first|entire|whole) )?(?:messages?|prompts?|question|conversation)\\b",
  '\\b{GIVE} (?:\\w+,? ){0,4}?{SECRETS}\\b[^.]{0,60}?\\b(?:(?:that )?you (?:can see|have access to|know|find|found|hold|remember)|(?:in|from) your (?:environment|context|memory))',
  '\\b(?:read|open|cat|load|include|attach|fetch|upload|send|pass|contents? of) [^.]{0,40}(?:(?:~|/home/\\w+|\\$home|%userprofile%)?[\\\\/]\\.(?:aws|cursor|env|gnupg|netrc|npmrc|kube|ssh[\\\\/](?:id_|config))|/etc/(?:passwd|shadow)\\b|\\bid_rsa\\b)',
];

export const PHRASES: readonly RegExp[] = [FORGET, HIDE, ACT, CHOOSE, ORDER, ADDRESS, LEAK]
  .flat()
  .map((phrase) => new RegExp(filled(phrase)));

function filled(phrase: string): string {
  return phrase.replace(/\{([A-Z]+)\}/g, (_, name: string) => filled(WORDS[name] ?? ''));
}
