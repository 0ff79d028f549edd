/** Makes texts that are nearly always YAML or nearly YAML, the same for the same seed. For tests. */
export function randomYaml(seed: number): string {
  const random = numbersFrom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const chance = (share: number): boolean => random() < share
  // Of most texts nearly all parts are simple, of some none: each has to be seen alone among simple ones.
  const wild = pick([0.02, 0.05, 0.2, 1])
  const newline = chance(0.2) ? '\r\n' : '\n'
  const either = (simple: readonly string[], any: readonly string[]): string => pick(chance(wild) ? any : simple)

  const lineEnd = (): string =>
    `${either(comments.simple, comments.any)}${either([newline], [newline, `${newline}\n`, '\n  \n', '\n# top\n', '\n      # deep\n'])}`
  const space = (): string => either(['', '', ' '], ['', ' ', '\n', '\n  ', '\n      ', ' # c\n      '])
  const value = (depth: number): string =>
    chance(0.25) && depth < 3 ? flow(depth + 1) : either(values.simple, values.any)
  const name = (): string => either(names.simple, names.any)

  function flow(depth: number): string {
    const isList = chance(0.6)
    const entry = (): string => {
      if (isList) return chance(wild / 10) ? `${name()}: ${value(depth)}` : value(depth)
      return `${name()}${either([': '], [': ', ':', ' : ', ':\n    ', '', ' '])}${value(depth)}`
    }
    const entries = Array.from({ length: Math.floor(random() * 4) }, () => `${space()}${entry()}${space()}`)
    const inside = `${entries.join(',')}${chance(0.1) ? `,${space()}` : ''}`
    return isList ? `[${inside}]` : `{${inside}}`
  }

  /** @param isOnLine whether the first key is on a line already */
  function table(indent: number, depth: number, isOnLine = false): string {
    const entry = (_: unknown, index: number): string => {
      const shifted = Math.max(0, indent + (chance(0.08 * wild) ? pick([-1, 1, 2]) : 0))
      const key = `${isOnLine && index === 0 ? '' : ' '.repeat(shifted)}${name()}${either([':'], [':', ' :'])}`
      const kind = random()
      if (kind < 0.45 || depth > 4) return `${key}${either([' '], [' ', '  ', ''])}${value(0)}${lineEnd()}`
      if (kind < 0.5) return `${key}${lineEnd()}`
      if (kind < 0.55) return `${key}${lineEnd()}${' '.repeat(indent + pick([1, 2, 4]))}${value(0)}${lineEnd()}`
      if (kind < 0.75) return `${key}${lineEnd()}${list(indent + pick([0, 2, 2, 2, 4, 1]), depth + 1)}`
      return `${key}${lineEnd()}${table(indent + pick([2, 2, 2, 4, 1, 3, 0]), depth + 1)}`
    }
    return Array.from({ length: 1 + Math.floor(random() * 3) }, entry).join('')
  }

  function list(indent: number, depth: number): string {
    const entry = (): string => {
      const gap = pick([' ', ' ', ' ', '  ', '   '])
      const item = `${' '.repeat(indent)}-`
      const kind = random()
      if (kind < 0.6 || depth > 4) return `${item}${gap}${value(0)}${lineEnd()}`
      if (kind < 0.63) return `${item}${lineEnd()}`
      if (kind < 0.66) return `${item}${lineEnd()}${table(indent + 2, depth + 1)}`
      if (kind < 0.7) return `${item}${gap}${list(0, depth + 1)}`
      return `${item}${gap}${table(indent + 1 + gap.length, depth + 1, true)}`
    }
    return Array.from({ length: 1 + Math.floor(random() * 4) }, entry).join('')
  }

  function changed(text: string): string {
    const at = Math.floor(random() * (text.length + 1))
    const kind = random()
    if (kind < 0.3) return text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 3))
    if (kind < 0.8) return text.slice(0, at) + pick(insertions) + text.slice(at)
    const other = Math.floor(random() * (text.length + 1))
    return text.slice(0, other) + text.slice(at, at + 40) + text.slice(other)
  }

  let text = table(0, 0)
  while (chance(0.4)) text = changed(text)
  return chance(0.2) ? text.replace(/\n$/, '') : text
}

/** Numbers from 0 up to 1 (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const comments = {
  simple: ['', '', ' # c', ' '],
  any: ['', ' # c', ' #', '  # d: e', '#x', ' ', '\t', '\t# t'],
}

/** Texts separated by `¦`. */
const split = ({ raw }: TemplateStringsArray): string[] => raw.join('').split('¦')

const simpleNames = split`a¦b¦c¦roles¦camera_1¦1¦true¦x-y¦"q k"¦'s'¦été¦a/b¦a.b`
const names = {
  simple: simpleNames,
  any: [...simpleNames, ...split`null¦-a¦?x¦a b¦[a]¦{a: b}¦*a¦<<¦"a\tb"¦&n k¦~¦""¦.a¦a:b¦-¦=¦é¦@a¦%a¦'it''s'¦"a" b¦[a`],
}

const simpleValues = [
  ...split`a¦yard¦camera1¦a b¦front  door¦été¦日本¦rtsp://u:p@h:1/x?a=1&b={S}¦a#b¦a:b¦-x¦$x¦/x¦07:30¦12345678901234567890`,
  ...split`true¦null¦~¦1¦-1¦007¦0x1f¦0o17¦1e3¦.5¦-.inf¦.nan¦+1¦1.50¦no¦on¦Null¦TRUE¦False`,
  ...split`"q"¦'s'¦"a: b"¦"# x"¦"[a]"¦""¦''`,
]
const values = {
  simple: simpleValues,
  any: [
    ...simpleValues,
    ...split`"a\n"¦'it''s'¦a,b¦[x]¦*¦-¦- a¦?¦? a¦:¦: a¦&x¦*x¦!t¦|¦>¦%¦@¦!¦a: b¦a:¦#¦# c¦x #c¦a]¦{a}¦=¦<<¦--x¦---¦...`,
    ...split`a"b¦a'b¦1_000¦a :b¦"a" b¦[a¦]¦}¦{¦"a¦'a¦,¦,a¦a	b¦>-¦|2¦a: b: c¦¦ `,
  ],
}

const insertions = [
  ...split` ¦  ¦:¦: ¦-¦- ¦#¦ #¦"¦'¦[¦]¦{¦}¦,¦, ¦a¦&a ¦*a¦!x ¦|¦>¦?¦? ¦%¦---¦...¦~¦0¦\¦@¦.¦	`,
  ...'\n¦\n  ¦\n---\n¦\n...\n¦\r¦\r\n¦`¦\ufeff¦\u0085¦\u2028¦\u00a0¦\u0000¦\ud800'.split('¦'),
]
