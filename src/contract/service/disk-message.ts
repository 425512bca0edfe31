/** The chat message about a disk that fills: levels and text. */

/**
 * The levels of used disk space, in percent. A level begins when `startPercent` is reached, and ends when the
 * percentage falls below `endPercent`. A chat message is sent when a higher level is reached, and when all
 * levels have ended.
 */
export const DISK_LEVELS = [
  { startPercent: 95, endPercent: 93 },
  { startPercent: 90, endPercent: 88 },
] as const

/**
 * The message about the disk. `levelPercent`: the level that was reached; 0: all levels have ended.
 * `machineName`: the name of the machine, if each machine has a disk of its own.
 */
export function diskMessage(levelPercent: number, usedPercent: number, machineName?: string): string {
  const usedText = `${Math.floor(usedPercent)} %`
  const disk = machineName === undefined ? 'Platte' : `Platte von ${machineName}`
  if (levelPercent === 95)
    return `Die ${disk} ist fast voll: ${usedText} sind belegt. Bitte bald Platz schaffen.`
  if (levelPercent === 90) return `Die ${disk} wird voll: ${usedText} sind belegt.`
  return `Auf der ${disk} ist wieder Platz: ${usedText} sind belegt.`
}
