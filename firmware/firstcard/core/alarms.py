"""The open alarms: who has not been looked at yet. Only a supervisor's acknowledgement takes one away.

An alarm is a list [id, kind, spot, zone name, signed cents]; spot and zone may be None. A further change of the same
spot, zone and kind updates the open one, so there are never more than kinds x zones. Source: design, "Words"
(alarms); IN-BJ-12 (no employee may wave one away).
"""


class Alarms:
    def __init__(self):
        self.open = []
        self.next_id = 1

    def raise_(self, kind, spot, zone, cents):
        """Open an alarm or update the one of the same kind and place; returns its row."""
        for row in self.open:
            if row[1] == kind and row[2] == spot and row[3] == zone:
                row[4] = cents
                return row
        row = [self.next_id, kind, spot, zone, cents]
        self.next_id += 1
        self.open.append(row)
        return row

    def take(self, id):
        """Remove the alarm `id` and return its row, or None."""
        for i, row in enumerate(self.open):
            if row[0] == id:
                return self.open.pop(i)
        return None

    def at(self, spot):
        """An open alarm of this spot, or None."""
        for row in self.open:
            if row[2] == spot:
                return row
        return None
