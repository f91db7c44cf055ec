"""A term with problem sets: collecting, marking, feedback, grades out, variants, and the league.

A submission is a program that somebody else wrote. It runs in a process of its own (`student`), in an empty folder,
where it can reach neither the course nor the gradebook (`confine`). The tests run on the teacher's side (`player`,
`judge`) and ask that process for what its functions return; what travels is plain data (`coding`). So nothing that a
submission does to its own Python touches a test, a reference or a mark.

Nothing here is needed to learn: `dpbandits.checks` is what a student's notebook uses.
"""
