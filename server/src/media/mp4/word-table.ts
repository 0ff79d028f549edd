/** Numbers of 32 bits, as a box has them: a day has millions, so there is no object for each. */
export interface WordTable {
  /** Bytes so far. */
  bytes(): number
  push(...values: readonly number[]): void
  data(): Buffer
}

/** The same number repeated is one entry, of its count and itself. */
export interface RunTable {
  /** Entries so far. */
  runs(): number
  push(value: number): void
  /** Whether there is no other number. */
  isOnly(value: number): boolean
  data(): Buffer
}

export function createWordTable(): WordTable {
  let data = Buffer.alloc(1024)
  let used = 0
  return {
    bytes: () => used,
    push(...values) {
      for (const value of values) {
        if (used === data.length) data = Buffer.concat([data], used * 2)
        data.writeUInt32BE(value >>> 0, used)
        used += 4
      }
    },
    data: () => data.subarray(0, used),
  }
}

export function createRunTable(): RunTable {
  const table = createWordTable()
  let count = 0
  let last = 0
  return {
    runs: () => table.bytes() / 8,
    push(value) {
      if (count > 0 && value === last) {
        table.data().writeUInt32BE(++count, table.bytes() - 8)
        return
      }
      table.push(1, value)
      count = 1
      last = value
    },
    isOnly: (value) => table.bytes() <= 8 && last === value,
    data: () => table.data(),
  }
}
