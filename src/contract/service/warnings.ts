/**
 * The catalogue of warnings; the catalogue of errors is `src/errors/errors.ts`. A warning reports a problem
 * that did not stop an action, such as saving a setting or making a backup. Codes never change.
 */
export const WARNINGS = {
  'target-foreign':
    'Das Ziel der Sicherung ist ein Windows-Pfad, den dieser Rechner nicht hat: Jede Sicherung schlägt fehl.',
  'target-unset':
    'SICHERUNG_ZIEL ist nicht gesetzt; mit PostgreSQL und Objektspeicher schlägt ohne ein Ziel jede Sicherung fehl.',
  'second-target-foreign':
    'Das Zweitziel ist ein Windows-Pfad, den dieser Rechner nicht hat: Jede Sicherung schlägt fehl.',
  'bucket-incomplete':
    'Für den Bucket der Sicherung fehlt die Adresse, der Name oder der Schlüssel: Jede Sicherung schlägt dort fehl.',
  'oidc-incomplete':
    'Für die Anmeldung beim Anbieter fehlt die Adresse, die Client-ID, das Client-Secret oder eine Regel: So kommt dort niemand herein.',
  'discord-incomplete':
    'Für die Anmeldung mit Discord fehlt die Client-ID, das Client-Secret, der Server oder eine Regel: So kommt dort niemand herein.',
  'files-host-elsewhere':
    'PUBLIC_URL nennt einen anderen Hostnamen als FILES_HOST: Jede ausgegebene Adresse antwortet mit 404.',
  'backup-beside-files':
    'Die Sicherung liegt auf derselben Festplatte wie die Dateien, und ein Zweitziel ist nicht eingestellt.',
  'targets-on-one-disk': 'Ziel und Zweitziel liegen auf derselben Festplatte.',
  'space-too-small':
    'An einem Ziel der Sicherung reicht der Platz für die nächste nicht: Sie wird nicht beginnen.',
  'space-runs-out': 'An einem Ziel der Sicherung reicht der Platz keine Woche mehr, wenn es so weitergeht.',
  'stock-repaired':
    'In der Sicherung waren Dateien beschädigt; sie wurden aus einer unversehrten Kopie ersetzt. Bitte das Laufwerk prüfen.',
  'stock-not-thinned':
    'Ein Archiv der Sicherung lässt sich nicht lesen; deshalb wird der Platz nicht mehr benötigter Inhalte dort nicht frei.',
  'thinning-paused':
    'Der Datenbank fehlen Änderungen, die schon gespeichert waren; bis das geklärt ist, werden keine alten Sicherungen entfernt.',
  'target-disks-unknown': 'Ob Ziel und Zweitziel auf derselben Festplatte liegen, ist unbekannt.',
} as const

/** The code of the warning that damaged files in the backup were replaced: the disk may be failing. */
export const REPAIRED_WARNING = 'stock-repaired'
export const hasRepairedWarning = ({
  warnungen_codes = [],
}: {
  warnungen_codes?: readonly string[] | undefined
}) => warnungen_codes.includes(REPAIRED_WARNING)

export type WarningCode = keyof typeof WARNINGS
export const WARNING_CODES = Object.keys(WARNINGS) as WarningCode[]
