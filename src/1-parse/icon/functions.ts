// Icon 9.4.3's built-in functions: once (always one result), maybe (at most one), generator.

export type FunctionOutcome = 'once' | 'maybe' | 'generator'

// prettier-ignore
const rows: [FunctionOutcome, string][] = [
  ['once', 'abs acos asin atan center char copy cos delay delete detab display dtor entab exit exp flush iand icom ' +
           'image insert ior ishift ixor left list log map ord push put repl reverse right rtod runerr set sin sort sortf ' +
           'sqrt stop table tan trim type write writes'],
  ['maybe', 'any args chdir close collect errorclear get getch getche getenv integer kbhit loadfunc many match member ' +
            'move name numeric open pop pos proc pull read reads real remove rename seek serial string system tab variable where'],
  ['generator', 'bal find function key seq upto'],
]

/** Each function's outcome; graphics functions are left out: nothing is assumed of them. */
export const functions: ReadonlyMap<string, FunctionOutcome> = new Map(
  rows.flatMap(([outcome, names]) => names.split(' ').map((name): [string, FunctionOutcome] => [name, outcome])),
)
