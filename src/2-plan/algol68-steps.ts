// Where frames of Algol 68 routines can stand: what a68g's stack, which tells the range of each, and the place of an error
// say of the vertex at which control is.
import type { Routine } from '../1-parse/algol68/ast.js'
import type { Tokens } from '../1-parse/algol68/scan.js'
import { lineStarts, positionIn } from '../source.js'
import { outside } from './infer.js'
import { unknownCallee, type Step } from './plan.js'

/** A place in the text of a file; line and column from 1. */
export interface SitePlace {
  readonly file: number
  readonly line: number
  readonly column: number
}

/** Finds places of tokens; quickest in the order of the text. */
export class Places {
  private readonly starts: readonly (readonly number[])[]
  private readonly spots = new Map<number, string>()
  private atFile = -1
  /** The line, from 0, of the token that was asked for last. */
  private at = 0

  constructor(private readonly tokens: Tokens) {
    this.starts = tokens.files.map(({ text }) => lineStarts(text))
  }

  place(token: number): SitePlace {
    const file = this.tokens.file[token]
    const offset = this.tokens.from[token]
    const lines = this.starts[file]
    if (file !== this.atFile || offset < lines[this.at]) this.at = positionIn(lines, offset).line - 1
    else while (this.at + 1 < lines.length && lines[this.at + 1] <= offset) this.at++
    this.atFile = file
    return { file, line: this.at + 1, column: offset - lines[this.at] + 1 }
  }

  /** A place as frames and steps are matched by. */
  spot(token: number): string {
    let spot = this.spots.get(token)
    if (spot === undefined) {
      const { file, line, column } = this.place(token)
      spot = `${file}:${line}:${column}`
      this.spots.set(token, spot)
    }
    return spot
  }
}

/** Where control stands, in which range, and what it calls there. */
interface Stand {
  readonly token: number
  readonly vertex: number
  readonly range: number
  readonly call: Routine | 'unknown' | undefined
}

/** Collects where control stands while the graph is drawn. */
export class Standing {
  private readonly stands: Stand[] = []

  constructor(private readonly places: Places) {}

  /**
   * Notes that control stands at a vertex from a token on.
   *
   * range   the token by which a68g knows the range
   * call    what is called there
   */
  note(token: number, vertex: number, range: number, call: Routine | 'unknown' | undefined): void {
    // what begins with the unit that was noted last
    const last = this.stands[this.stands.length - 1]
    if (call === undefined && last?.token === token && last.vertex === vertex && last.range === range) return
    this.stands.push({ token, vertex, range, call })
  }

  /**
   * Where control stands, in the order of the text. Of places that follow each other, each with one vertex and all with
   * the same, the first is enough.
   */
  steps(vertexOf: (vertex: number) => number): Step[] {
    const { places } = this
    const stands = this.stands.sort((one, other) => one.token - other.token)
    const steps: Step[] = []
    // what stands for the tokens since the last step
    let alone: Step | undefined
    stands.forEach(({ token, vertex: drawn, range: first, call }, i) => {
      const { file, line, column } = places.place(token)
      const vertex = vertexOf(drawn)
      const range = places.spot(first)
      const isAlone = stands[i - 1]?.token !== token && stands[i + 1]?.token !== token
      const isSame = alone?.vertex === vertex && alone.range === range && alone.file === file
      // those outside tell nothing of vertices, but what ranges there are
      if (isAlone && isSame && call === undefined && vertex !== outside) return
      const callee = call === undefined || call === 'unknown' ? unknownCallee : places.spot(call.first)
      const step = { file, line, column, vertex, range, ...(call !== undefined && { call: callee }) }
      steps.push(step)
      alone = isAlone ? step : undefined
    })
    return steps
  }
}
