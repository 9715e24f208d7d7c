// A profile with everything in it: all constructs, counts that are not exact, several files, runs and notes.
import { block, branch, choice, file, loop, procedure, profile } from './counts.js'

export const everything = profile(
  [
    file(
      'queens.icn',
      [
        procedure(1, 'main', 3, 0, 0, 0, 3),
        block(4, 3),
        branch(5, 0, 0),
        loop(6, 30, 'every'),
        procedure(12, 'place_a_queen_on_the_board', [251583], 33177, [1200], 1180, [217206]),
        branch(13, 251327, 256),
        branch(14, [25], 231),
        loop(15, 0, 'while'),
        procedure(20, 'p', 2n ** 70n),
        choice(24, { 1: 1, 2: 1, 3: 0, 4: 1, 5: 1, 6: 1, 7: [12], default: 0 }),
        choice(30, { 1: 33177, none: 1966823 }),
      ],
      [{ line: 28, what: 'procedure' }],
    ),
    file('lib/a\tb.icn', [procedure(2, 'idle')]),
    file('empty.icn', []),
  ],
  3,
  ['one run of three was cut short by a signal'],
)
