"""The table's circuit boards by KiCad 9: drawn, checked, and put out as files to order them by.

`python -m packages.kicad` writes what lies in `jetan_table/extras/workshop/ready`, and strips for
squares of other sizes.
"""
