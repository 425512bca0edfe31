/**
 * Loaded before the service: on SIGUSR2 its clock goes two hours ahead. For what only happens to files of some age,
 * since the time that counts there cannot be set on a file.
 */
const now = Date.now
let ahead = 0

Date.now = () => now() + ahead

process.on('SIGUSR2', () => {
  ahead = 2 * 60 * 60 * 1000
})
