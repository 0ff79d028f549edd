import { longestSegment } from './longest-segment.ts'

/** What decides which of two overlapping segments is played. Times are Unix milliseconds. */
export interface RecordedPart {
  readonly start: number
  readonly end: number
  readonly volume: string
  readonly epoch: number
  /** Its file can't be read now. */
  readonly isAway?: true
}

/** `fileEnd`: when the file ends, if that is after `end`. */
export type PlayedPart<Part> = Part & { readonly fileEnd?: number }

/** Milliseconds that two segments can overlap, because times are rounded. */
export const toleratedOverlap = 20

/**
 * Joins what several instances recorded of one camera, so that nothing plays twice: where two volumes overlap, the newer
 * epoch wins. A segment during which a newer one begins ends there; one that begins during a newer one is left out.
 * Segments of one volume are left as they are: after its clock was set back, it has both hours.
 *
 * @param parts sorted by start
 */
export function inOneHistory<Part extends RecordedPart>(parts: readonly Part[]): PlayedPart<Part>[] {
  const volumes = new Set(parts.map(({ volume }) => volume))
  if (volumes.size < 2) return [...parts]
  const played: PlayedPart<Part>[] = []
  for (const [at, part] of parts.entries()) {
    const end = endOf(parts, at, part)
    if (end >= part.end) played.push(part)
    else if (end > part.start) played.push({ ...part, end, fileEnd: part.end })
  }
  return played
}

/** When a newer segment of another volume begins; before its own start if one is playing then. */
function endOf(parts: readonly RecordedPart[], at: number, part: RecordedPart): number {
  for (let before = at - 1; before >= 0; before--) {
    const other = parts[before]
    if (!other || other.start <= part.start - longestSegment) break
    if (isNewer(other, part) && other.end > part.start + toleratedOverlap) return part.start
  }
  for (let after = at + 1; after < parts.length; after++) {
    const other = parts[after]
    if (!other || other.start >= part.end - toleratedOverlap) break
    if (isNewer(other, part)) return other.start
  }
  return part.end
}

/** Without epochs, two instances may have recorded all of it: what can be played wins then, or else the volume decides. */
function isNewer(other: RecordedPart, part: RecordedPart): boolean {
  if (other.volume === part.volume || other.epoch !== part.epoch)
    return other.volume !== part.volume && other.epoch > part.epoch
  return other.isAway === part.isAway ? other.volume > part.volume : part.isAway === true
}
