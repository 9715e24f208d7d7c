// Comments that speak to scamp. They are no tokens; the scanners note them, and stage 2 reads them.

/**
 * A comment that begins with `scamp:`.
 *
 * file    which of the source's files it stands in
 * offset  where the comment begins there
 * words   what it says after `scamp:`
 */
export interface Remark {
  readonly file: number
  readonly offset: number
  readonly words: string
}

const address = /^\s*scamp:/

/** What a comment says to scamp; undefined if it speaks to others. `text`: without the comment's marks. */
export function wordsToScamp(text: string): string | undefined {
  const match = address.exec(text)
  return match ? text.slice(match[0].length).trim() : undefined
}
