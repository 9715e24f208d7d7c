// Insertions into a text. The original stays whole and in order: scamp never replaces and never removes.

/**
 * Text to insert.
 *
 * at      offset in the original text
 * side    `after` what ends there, or `before` what begins there; what stands after comes first
 * order   among insertions at one place: openers stand in this order, closers in the reverse
 */
export interface Edit {
  readonly at: number
  readonly side: 'after' | 'before'
  readonly order: number
  readonly text: string
}

/** Puts edits into the order in which they stand in the text. */
export function sortEdits<One extends Edit>(edits: readonly One[]): One[] {
  return [...edits].sort(compareEdits)
}

/** Makes the insertions. Edits may come in any order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const sorted = sortEdits(edits)
  const parts: string[] = []
  let copied = 0
  for (const edit of sorted) {
    if (edit.at > copied) {
      parts.push(text.slice(copied, edit.at))
      copied = edit.at
    }
    parts.push(edit.text)
  }
  parts.push(text.slice(copied))
  return parts.join('')
}

function compareEdits(one: Edit, other: Edit): number {
  if (one.at !== other.at) return one.at - other.at
  if (one.side !== other.side) return one.side === 'after' ? -1 : 1
  return one.side === 'after' ? other.order - one.order : one.order - other.order
}
