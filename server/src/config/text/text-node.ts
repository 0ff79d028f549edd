/** A value in a text, with its position: an offset from the start of the text, in UTF-16 code units. */
export type TextNode = TextValue | TextAlias
export type TextValue = TextScalar | TextTable | TextList

export interface TextScalar {
  readonly kind: 'scalar'
  /** As YAML reads it: text, a number, true, false or null. */
  readonly value: unknown
  /** The value as text, without quotes; empty if nothing is written. */
  readonly source: string
  readonly start: number
}

export interface TextTable {
  readonly kind: 'table'
  readonly keys: readonly TextKey[]
  readonly start: number
}

export interface TextKey {
  /** The name as text, whatever type YAML gives it: `1`, `007` and `true` are names. undefined if it isn't a scalar. */
  readonly name: string | undefined
  readonly start: number
  /** null without a value. */
  readonly value: TextNode | null
}

export interface TextList {
  readonly kind: 'list'
  readonly items: readonly (TextNode | null)[]
  readonly start: number
}

export interface TextAlias {
  readonly kind: 'alias'
  /** undefined if no earlier node has that anchor. */
  readonly target: TextValue | undefined
  readonly start: number
}

/** The value that a node stands for; undefined for an alias of nothing. */
export const targetOf = (node: TextNode | null): TextValue | null | undefined =>
  node?.kind === 'alias' ? node.target : node
