/**
 * Windows: finds the physical disk of each path. A local disk is identified by its number, which is the same
 * for all its partitions, and a network share by its server.
 */
import type { DiskLocation } from './disk-location.ts'

/** Milliseconds to wait for PowerShell, which starts slowly; if it hangs, the disks stay unknown. */
const POWERSHELL_TIMEOUT = 15_000

const UNC_SERVER = /^\\\\(?:\?\\UNC\\)?([^\\/]+)\\/i
const DRIVE_LETTER = /^(?:\\\\\?\\)?([A-Za-z]):/

/** The disks of each path, in the order of `paths`. */
export async function windowsDisks(
  paths: readonly string[],
  runScript: (script: string) => Promise<string> = runPowershell,
): Promise<DiskLocation[]> {
  const letters = [...new Set(paths.flatMap(path => DRIVE_LETTER.exec(path)?.[1]?.toUpperCase() ?? []))]
  const drives = parseDrives(letters.length === 0 ? '' : await runScript(driveScript(letters)))
  return paths.map(path => {
    const server = UNC_SERVER.exec(path)?.[1]
    if (server !== undefined && server !== '?') return { network: server.toLowerCase() }
    return drives.get(DRIVE_LETTER.exec(path)?.[1]?.toUpperCase() ?? '') ?? null
  })
}

/**
 * The script prints one line per drive: `D local 0`, `Z network \\server\share` or `X unknown`. Only drive
 * letters are inserted into the script.
 */
const driveScript = (letters: readonly string[]) => `
$ErrorActionPreference = 'SilentlyContinue'
foreach ($letter in '${letters.join("','")}') {
  $drive = Get-CimInstance Win32_LogicalDisk -Filter "DeviceID='$($letter):'"
  if ($drive.DriveType -eq 4) { "$letter network $($drive.ProviderName)" }
  else {
    $partition = Get-Partition -DriveLetter $letter
    if ($partition) { "$letter local $($partition.DiskNumber)" } else { "$letter unknown" }
  }
}`

export function parseDrives(output: string): Map<string, DiskLocation> {
  const drives = new Map<string, DiskLocation>()
  for (const line of output.split(/\r?\n/)) {
    const [, letter = '', kind, detail = ''] =
      /^([A-Z]) (local|network|unknown) ?(.*)$/.exec(line.trim()) ?? []
    if (kind === 'local' && /^\d+$/.test(detail)) drives.set(letter, { disks: new Set([`disk ${detail}`]) })
    if (kind === 'network')
      drives.set(letter, { network: (UNC_SERVER.exec(`${detail}\\`)?.[1] ?? detail).toLowerCase() })
  }
  return drives
}

async function runPowershell(script: string): Promise<string> {
  const child = Bun.spawn(['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', script], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: POWERSHELL_TIMEOUT,
  })
  return new Response(child.stdout).text()
}
