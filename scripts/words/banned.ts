/** A word that this project does not use, and what to write instead. */
export interface Banned {
  /** `name`: identifiers. `prose`: comments, logs, messages, docs and UI. `copy`: the UI's English only. */
  readonly where: 'name' | 'prose' | 'copy'
  readonly pattern: RegExp
  readonly instead: string
  /** A guide for the eye: it has false positives, so it is listed with `--all` only. */
  readonly loose?: true
}

const name = (pattern: RegExp, instead: string): Banned => ({ where: 'name', pattern, instead })
const prose = (pattern: RegExp, instead: string): Banned => ({ where: 'prose', pattern, instead })
const copy = (pattern: RegExp, instead: string): Banned => ({ where: 'copy', pattern, instead })
const loose = (row: Banned): Banned => ({ ...row, loose: true })

export const banned: readonly Banned[] = [
  name(/^[A-Z]\w*Parts$/, 'Deps, Props'),
  name(/^\w*(Said|Shown)$/, 'CodedMessage, XResponse'),
  name(/[Kk]nock|[Ss]tranger|[Pp]atience/, 'RequestMeta, unauthenticated, timeout'),
  name(/^[Ss]tandings?$/, 'Authentication'),
  name(/^(create|take|in|next|last|login)?Turns?$/, 'semaphore, mutex'),
  name(/^([Ii]n|\w+In)Force$/, 'active'),
  name(/Anew$|^anew/, 'refresh, reload'),
  name(/Remembered/, 'Cache'),
  name(/^(asked|told|heard|wanted|said)$/, 'requested, notified'),
  name(/^(tell|say|look|tidy|giveUp|takeBack|putInPlace|setAside)$/, 'notify, poll, cleanUp, undo'),
  name(/^why([A-Z]|$)/, 'reason, xReason'),
  name(/[Gg]atekeeper|MetCaller|[Vv]anished|^Ground$|[a-z]Doors?$|^Door$/, 'authorizer, core, client'),
  name(/[Ll]eaf(Lifetime)?$/, 'server certificate'),
  name(/^(Ask|Nothing|Wide|Waiting|Broken|Speaking)$/, 'ConfirmDialog, EmptyState'),
  name(/^(most|least)([A-Z]|$)/, 'max, min'),
  name(/([Ss]ome|[Nn]o|[Ee]very)[Bb]od(y|ies)/, 'unauthenticated, no user, everyone'),
  name(/(?<!In)[Pp]icture(?!In)/, 'frame, snapshot, thumbnail, video'),
  name(/[Ss]ound/, 'audio'),
  name(
    /^([Hh]ouse|[Dd]esk|[Ee]ar|[Mm]inted|[Ss]helf\w*|[Tt]rial\w*)$/,
    'service, codec, connection, signed, index, test',
  ),

  prose(/\b(some|no|any|every)body\b/i, 'someone, no one, a user'),
  prose(/\bwhoever\b|\b(for|of|to|by|from|as) who\b/i, 'the caller'),
  prose(/\banew\b|\bof late\b|\bmeanwhile\b/i, 'again, recently'),
  prose(/\bin force\b/i, 'active, current'),
  prose(/\b(not|how|it|they) fares?\b|\bfares\b/i, 'status of'),
  prose(/\bmend(s|ed|ing)?\b|\bvanish(ed|es)?\b|\bwhereof\b/i, 'fix, removed'),
  loose(
    prose(
      /\b(is|are|was|were|be|been|has to be) told\b|\btells? (of|who|what|how|which|whether)\b/i,
      'notified, reports',
    ),
  ),
  loose(prose(/\bstands? (in(?! for)|at|on|beside|between|behind|there|open)\b|\bas (it|they) stands?\b/i, 'is in')),
  loose(
    prose(
      /\b(what|roles?|rules?|session|limits?|access) (still )?holds?\b(?! (the|a|an|it)\b)|\bholds from\b/i,
      'applies, takes effect',
    ),
  ),
  prose(/\bof (that|this) name\b/i, 'named X'),
  loose(prose(/\b(who|users?|roles?|admins?|viewers?|you|one|caller) may\b/i, 'can')),
  loose(prose(/\b(is|are|was) none\b|\bnone of (ours|theirs)\b/i, 'isn’t a')),
  loose(prose(/\bof (its|their|our|one['’]s|your) own\b/i, 'its own X')),
  loose(prose(/\bso (many|often)\b/i, 'up to N')),
  loose(prose(/\bat once\b/i, 'immediately, concurrently')),
  loose(prose(/\b(go|goes|going|went) on\b/i, 'continue, resume')),
  loose(prose(/\b(takes?|taken|took) away\b/i, 'remove')),
  prose(/\bput off\b|\bcame of it\b/i, 'rejected, result'),
  prose(/\b(hence|thus|lest|thereof|therein|wherein|upon|be it)\b/i, '(rephrase)'),
  loose(prose(/\bwhat (moves|moved|comes|came|waits|hangs|(is|was) (left|gone|kept|sent|asked|said))\b/i, 'name it')),
  loose(prose(/[,(] ?as [`'"“]/i, 'for example')),
  prose(/\b(pictures?|frames|bits|bytes|megabytes) a (second|day)\b/i, 'per second'),
  loose(prose(/(?<!group of )\bpictures?\b(?!-| in picture)/i, 'frame, snapshot')),
  prose(/\bthe inside\b(?! of)|\binside port\b/i, 'internal port'),
  prose(/\bknock(s|ing)?\b|\bstrangers?\b|\bpatience\b/i, 'request, timeout'),
  prose(/\b(a|the|each|every|which) rooms?\b|\bthe house\b/i, 'folder, service'),
  prose(/\b(an|the|our) ear\b|\bdeaf\b/i, 'LISTEN connection'),
  prose(/\bleaf\b(?! (node|certificate))/i, 'server certificate'),
  loose(prose(/\basked for\b/i, 'requested')),
  loose(prose(/\b(is|are|was) gone\b/i, 'deleted, missing')),
  prose(/\b(colour|grey|neighbour|behaviour|licence|centre|cancelled|enrolment)/i, 'color, gray, …'),
  prose(/\bany more(?= ?([.,;:)*'"]|$))/i, 'anymore'),
  prose(/\b(m?s|(milli)?seconds?|more|less) of the processor\b(?! time)/i, 'CPU time'),
  prose(/\bkeeps? flowing\b/i, 'streaming'),
  prose(/\w(al|gn|or)is(e[ds]?|ing)\b/i, '-ize'),

  copy(/\b(cannot|(do|does|did|is|are|was|were|will|has|have|could) not|you are)\b/i, 'a contraction'),
  copy(/\} is (deleted|removed|saved|added|made|changed|cancelled|exported)\b/i, 'X deleted'),
  copy(/\buser names?\b/i, 'username'),
  copy(/\badministrators?\b/i, 'admin'),
  copy(/\bturned (on|off)\b/i, 'enabled, disabled'),
  copy(/\bdemonstration\b/i, 'demo'),
  copy(/\bsounds?\b/i, 'audio'),
]
