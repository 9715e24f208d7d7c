// The command line as data, for what is made of it: completion and the manual page.

/**
 * An option.
 *
 * short, long  as they are typed, with their dashes; empty if there is no such
 * value        what stands for its value in help; empty if it takes none
 * choices      the values there are; none: any
 */
export interface DescribedOption {
  readonly short: string
  readonly long: string
  readonly value: string
  readonly description: string
  readonly choices: readonly string[]
}

/** A command; `usage` is what follows its name. */
export interface DescribedCommand {
  readonly name: string
  readonly usage: string
  readonly description: string
  readonly options: readonly DescribedOption[]
}

/** The whole command line. */
export interface Described {
  readonly description: string
  readonly version: string
  readonly options: readonly DescribedOption[]
  readonly commands: readonly DescribedCommand[]
}
