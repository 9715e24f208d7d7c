// Text in XML: what XML cannot hold, control characters, is shown as a report shows it.
import { printableName } from '../table.js'

/** A text as an attribute or the content of an element. */
export function escapeXml(text: string): string {
  return printableName(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
