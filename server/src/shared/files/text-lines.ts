import { StringDecoder } from 'node:string_decoder'

/**
 * The lines of a UTF-8 text, without their ends; the last one needs none. Only `\n` ends a line: Node's readline also splits
 * at U+2028 and U+2029, which JSON has unescaped within a string.
 *
 * @param longest characters of a line; default: no limit
 * @throws RangeError for a longer line
 */
export async function* textLines(chunks: AsyncIterable<Uint8Array>, longest = Infinity): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  const limited = (text: string): string => {
    if (text.length > longest) throw new RangeError('The line is too long.')
    return text
  }
  let line = ''
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.write(chunk).split('\n')
    line += first
    for (const next of more) {
      yield limited(line)
      line = next
    }
    limited(line)
  }
  line += decoder.end()
  if (line !== '') yield limited(line)
}
