/** UI texts of the state of the service, and of its health checks. */
import { defineWords, filled } from '../language/words.ts'

export const statusWords = defineWords({
  label: filled({ de: 'Zustand: #', en: 'Status: #' }),
  gesund: { de: 'gesund', en: 'healthy' },
  beeintraechtigt: { de: 'beeinträchtigt', en: 'impaired' },
  gestoert: { de: 'gestört', en: 'failing' },
  getrennt: { de: 'keine Verbindung', en: 'no connection' },
  uptime: filled({ de: 'Läuft seit #', en: 'Running for #' }),
  good: { de: 'in Ordnung', en: 'OK' },
  bad: { de: 'nicht in Ordnung', en: 'not OK' },
  open: { de: 'noch offen', en: 'not done yet' },
  datenbank: { de: 'Datenbank', en: 'Database' },
  platte: { de: 'Schreiben auf die Platte', en: 'Writing to disk' },
  ausliefern: { de: 'Ausliefern', en: 'Serving' },
  bestand: { de: 'Bestand', en: 'Inventory' },
  platz: { de: 'Speicherplatz', en: 'Free space' },
  sicherung: { de: 'Sicherung', en: 'Backup' },
})
